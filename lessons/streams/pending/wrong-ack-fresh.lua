-- en: One script marks and counts; the entry is acknowledged by the client that has counted it.
-- zh: 一个脚本同时标记与计数；由计了数的客户端去确认。
local SHIP = [[
  if redis.call('SADD', KEYS[2], ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[1], ARGV[2])
    return 1
  end
  return 0
]]

function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  if redis.call('EVAL', SHIP, 2, 'shipped', 'done', id, parcels) == 1 then
    redis.call('XACK', 'orders', 'shipping', id)
  end
end
