-- en: Puts the write into a transaction; the read stays outside.
-- zh: 把写放进事务，读留在了事务外面。
function sell()
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock > 0 then
    redis.call('MULTI')
    redis.call('SET', 'stock', stock - 1)
    redis.call('EXEC')
    return true
  end
  return false
end
