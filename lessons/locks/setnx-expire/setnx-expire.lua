-- en: A server sells one item under a lock that is to end by itself after ten seconds.
-- zh: 服务器在锁的保护下卖出一件，锁到十秒应当自行失效。
while redis.call('SETNX', 'lock', 'held') == 0 do
  sleep(5000)
end
-- en: From here on the lock has a lease; before, it has none.
-- zh: 从这里起锁才有租约，在此之前没有。
redis.call('EXPIRE', 'lock', 10)
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('DEL', 'lock')
