-- en: Takes over whatever is pending, however short a time it has been held; marks, counts and acknowledges in one script.
-- zh: 只要待确认就接手，不管被持有多久；标记、计数、确认在同一个脚本里。
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
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 0, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  redis.call('EVAL', SHIP, 3, 'orders', 'shipped', 'done', id, parcels)
end
