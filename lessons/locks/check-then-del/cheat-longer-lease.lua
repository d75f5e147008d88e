-- en: A lease of an hour, so that no pause reaches its end.
-- zh: 租约设成一小时，让停顿等不到它到期。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 3600) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('DEL', 'lock')
  end
end
