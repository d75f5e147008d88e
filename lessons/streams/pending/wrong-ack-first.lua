-- en: Acknowledges first, and counts only if that removed the entry from the pending list.
-- zh: 先确认；确实把条目移出了待确认列表，才计入包裹。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  if redis.call('XACK', 'orders', 'shipping', id) == 1 then
    redis.call('INCRBY', 'shipped', parcels)
  end
end
