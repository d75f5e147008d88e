-- en: Reads inside the transaction.
-- zh: 在事务里读。
function update(change)
  local before = redis.call('GET', 'stock')
  redis.call('MULTI')
  redis.call('GET', 'stock')
  redis.call('SET', 'stock', change(tonumber(before)))
  redis.call('EXEC')
end
