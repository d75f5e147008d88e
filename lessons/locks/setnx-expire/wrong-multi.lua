-- en: Puts both commands into a transaction, so that they are executed together.
-- zh: 把两条命令放进一个事务，让它们一起执行。
local mine = 0
while mine == 0 do
  redis.call('MULTI')
  redis.call('SETNX', 'lock', 'held')
  redis.call('EXPIRE', 'lock', 10)
  mine = redis.call('EXEC')[1]
  if mine == 0 then
    sleep(5000)
  end
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('DEL', 'lock')
