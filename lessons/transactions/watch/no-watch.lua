-- en: Sells one item with a transaction alone.
-- zh: 只用事务卖出一件。
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('MULTI')
  redis.call('SET', 'stock', stock - 1)
  redis.call('EXEC')
  tally('sold')
end
