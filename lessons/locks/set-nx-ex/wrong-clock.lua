-- en: Uses the time at which the request began as the token.
-- zh: 用请求开始的时刻作令牌。
local token = tostring(now())

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('DEL', 'lock')
  end
end
