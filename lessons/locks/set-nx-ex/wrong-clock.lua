-- en: Takes the time at which the request began for a token.
-- zh: 拿请求开始的时刻当令牌。
local token = tostring(now())
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  work(15000)
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
if redis.call('GET', 'lock') == token then
  redis.call('DEL', 'lock')
end
