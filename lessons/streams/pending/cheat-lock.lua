-- en: A lock with a lease of 20 seconds around counting and acknowledging, and a mark after it.
-- zh: 计数与确认之外套一把租约 20 秒的锁，之后再设标记。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  while not redis.call('SET', 'lock', me, 'NX', 'PX', 20000) do
    sleep(1000)
  end
  if redis.call('EXISTS', 'done:' .. id) == 0 then
    redis.call('INCRBY', 'shipped', parcels)
    redis.call('SET', 'done:' .. id, me)
  end
  redis.call('XACK', 'orders', 'shipping', id)
  redis.call('DEL', 'lock')
end
