-- en: Compares before deleting, but all servers write the same value into the lock.
-- zh: 删除之前先比较，可是所有服务器写进锁里的值都一样。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == 'held' then
    redis.call('DEL', 'lock')
  end
end
