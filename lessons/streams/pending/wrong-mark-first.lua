-- en: Sets the mark, and counts only if the mark was not there.
-- zh: 先设标记；标记原先不存在，才计入包裹。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  if redis.call('SET', 'done:' .. id, me, 'NX') then
    redis.call('INCRBY', 'shipped', parcels)
  end
  redis.call('XACK', 'orders', 'shipping', id)
end
