-- en: Takes the lock and gives it a lease in one command.
-- zh: 用一条命令抢锁，同时设好租约。
while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
  sleep(5000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('DEL', 'lock')
