-- en: Takes the lock and gives it a lease in one command.
-- zh: 用一条命令加锁，同时设好租约。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
    sleep(5000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
