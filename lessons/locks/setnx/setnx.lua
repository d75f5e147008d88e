-- en: A server of the shop sells one item under a lock: the client that creates the key holds it.
-- zh: 商城的一台服务器在锁的保护下卖出一件：谁创建了这个键，谁就持有锁。
while redis.call('SETNX', 'lock', 'held') == 0 do
  -- en: Another client holds it: try again in a second.
  -- zh: 锁在别人手里：一秒后再试。
  sleep(1000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('DEL', 'lock')
