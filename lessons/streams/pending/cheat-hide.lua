-- en: Counts before the order is packed, as soon as it is taken, in one script with a mark.
-- zh: 一领到订单就计数，不等打包：标记与计数在同一个脚本里。
local COUNT = [[
  if redis.call('SADD', 'done', ARGV[1]) == 1 then
    redis.call('INCRBY', 'shipped', ARGV[2])
  end
]]

function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  local entry = new and new[1][2][1] or redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
  if entry then
    redis.call('EVAL', COUNT, 0, entry[1], entry[2][2])
  end
  return entry
end

function ship(id, parcels, me)
  redis.call('XACK', 'orders', 'shipping', id)
end
