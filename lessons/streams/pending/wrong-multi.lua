-- en: Counts and acknowledges in one transaction, so that no crash comes in between.
-- zh: 计数与确认放进同一个事务，宕机插不进中间。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  redis.call('MULTI')
  redis.call('INCRBY', 'shipped', parcels)
  redis.call('XACK', 'orders', 'shipping', id)
  redis.call('EXEC')
end
