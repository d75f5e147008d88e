-- en: Reads with NOACK, so that nothing is ever pending, and counts with a mark.
-- zh: 用 NOACK 读取，于是从来没有待确认的条目；计数时设标记。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'NOACK', 'STREAMS', 'orders', '>')
  return new and new[1][2][1]
end

function ship(id, parcels, me)
  if redis.call('SETNX', 'done:' .. id, me) == 1 then
    redis.call('INCRBY', 'shipped', parcels)
  end
end
