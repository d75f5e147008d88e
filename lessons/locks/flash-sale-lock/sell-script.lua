-- en: Looks at the stock and takes from it in one script: there is nothing left to lock.
-- zh: 看库存与扣减在同一个脚本里完成：已经没有什么需要加锁。
local SELL = [[
  if tonumber(redis.call('GET', KEYS[1])) < tonumber(ARGV[1]) then
    return 0
  end
  redis.call('DECRBY', KEYS[1], ARGV[1])
  return 1
]]

function buy(wanted)
  return redis.call('EVAL', SELL, 1, 'stock', wanted) == 1
end
