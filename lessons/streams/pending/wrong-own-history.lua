-- en: Reads with 0 what is pending, before it asks for new entries; marks, counts and acknowledges in one script.
-- zh: 先用 0 读取待确认的条目，再要新的；标记、计数、确认在同一个脚本里。
local SHIP = [[
  if redis.call('SADD', KEYS[3], ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[2], ARGV[2])
  end
  redis.call('XACK', KEYS[1], 'shipping', ARGV[1])
]]

function take(me)
  local held = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '0')
  if held[1][2][1] then
    return held[1][2][1]
  end
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  return new and new[1][2][1]
end

function ship(id, parcels, me)
  redis.call('EVAL', SHIP, 3, 'orders', 'shipped', 'done', id, parcels)
end
