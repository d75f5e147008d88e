-- en: Counts if there is no mark, and sets the mark when that is done.
-- zh: 没有标记才计入包裹，计完之后再设标记。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  if redis.call('EXISTS', 'done:' .. id) == 0 then
    redis.call('INCRBY', 'shipped', parcels)
    redis.call('SET', 'done:' .. id, me)
  end
  redis.call('XACK', 'orders', 'shipping', id)
end
