-- en: Sets the group back to the beginning when something is pending, so that everything is delivered again; ships with a mark.
-- zh: 一有待确认的条目，就把组的位置拨回开头，让一切重新投递；发货时设标记。
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
  if redis.call('XPENDING', 'orders', 'shipping')[1] > 0 then
    sleep(30000)
    redis.call('XGROUP', 'SETID', 'orders', 'shipping', '0')
    new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
    return new and new[1][2][1]
  end
end

function ship(id, parcels, me)
  redis.call('EVAL', SHIP, 3, 'orders', 'shipped', 'done', id, parcels)
end
