-- en: The worker that removes the entry from the pending list counts it, in the same script: XACK answers 1 only once.
-- zh: 谁把条目从待确认列表中移除，就由谁计数，两步在同一个脚本里：XACK 只会返回一次 1。
local SHIP = [[
  if redis.call('XACK', KEYS[1], 'shipping', ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[2], ARGV[2])
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
  redis.call('EVAL', SHIP, 2, 'orders', 'shipped', id, parcels)
end
