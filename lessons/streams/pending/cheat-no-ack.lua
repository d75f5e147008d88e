-- en: Marks and counts in one script, and never acknowledges.
-- zh: 标记与计数在同一个脚本里，但从不确认。
local SHIP = [[
  if redis.call('SADD', KEYS[2], ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[1], ARGV[2])
  end
]]

function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  redis.call('EVAL', SHIP, 2, 'shipped', 'done', id, parcels)
end
