-- en: Adds up all orders of the stream, packed or not, and writes the sum.
-- zh: 把流里的订单全部加起来写入，不管打包了没有。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  local sum = 0
  for _, entry in ipairs(redis.call('XRANGE', 'orders', '-', '+')) do
    sum = sum + tonumber(entry[2][2])
  end
  redis.call('SET', 'shipped', sum)
  redis.call('XACK', 'orders', 'shipping', id)
end
