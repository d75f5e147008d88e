-- en: Puts the write into a transaction; the read stays outside of it.
-- zh: 把写操作放进事务，读却留在了事务外面。
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('MULTI')
  redis.call('SET', 'stock', stock - 1)
  redis.call('EXEC')
  tally('sold')
end
