-- en: One script marks the order, counts its parcels and acknowledges it. An order that is marked already is only acknowledged.
-- zh: 用一个脚本同时记下订单、计入包裹、确认；已经记下的订单只需确认。
local SHIP = [[
  if redis.call('SADD', KEYS[3], ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[2], ARGV[2])
  end
  redis.call('XACK', KEYS[1], 'shipping', ARGV[1])
]]

function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  redis.call('EVAL', SHIP, 3, 'orders', 'shipped', 'done', id, parcels)
end
