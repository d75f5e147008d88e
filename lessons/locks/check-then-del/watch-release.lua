-- en: Watches the lock before it looks: EXEC deletes only a lock that is still the same.
-- zh: 看之前先 WATCH：锁没有变过，EXEC 才会删除。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  redis.call('WATCH', 'lock')
  if redis.call('GET', 'lock') == token then
    redis.call('MULTI')
    redis.call('DEL', 'lock')
    redis.call('EXEC')
  else
    redis.call('UNWATCH')
  end
end
