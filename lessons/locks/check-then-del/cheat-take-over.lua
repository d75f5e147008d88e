-- en: Overwrites the lock first, so that it deletes a lock that it has made itself.
-- zh: 先把锁覆盖成自己的，这样删掉的就是自己写的锁。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('SET', 'lock', 'mine')
    redis.call('DEL', 'lock')
  end
end
