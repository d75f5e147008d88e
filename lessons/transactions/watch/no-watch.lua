-- en: Applies a function to the stock with a transaction alone.
-- zh: 只用事务把函数作用于库存。
function update(change)
  local stock = tonumber(redis.call('GET', 'stock'))
  local left = change(stock)
  redis.call('MULTI')
  redis.call('SET', 'stock', left)
  redis.call('EXEC')
end
