-- en: The lock says whose it is, and its holder looks before it deletes.
-- zh: 锁里写明是谁的，持锁者删之前先看一眼。
local token = uuid()
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
