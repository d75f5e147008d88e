-- en: Deletes the lock first, in case a client has left it behind.
-- zh: 先把锁删掉，以防有谁把它留下了。
function acquire()
  redis.call('DEL', 'lock')
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(5000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
