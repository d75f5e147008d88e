-- en: Looks before it deletes, but all servers write the same into the lock.
-- zh: 删之前先看一眼，可是所有服务器写进锁里的值都一样。
while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
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
if redis.call('GET', 'lock') == 'held' then
  redis.call('DEL', 'lock')
end
