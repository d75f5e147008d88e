-- en: Keeps ten items back, so that it never sells too many.
-- zh: 留十件不卖，就永远不会卖多。
local SELL = [[
  if tonumber(redis.call('GET', KEYS[1])) < ARGV[1] + 10 then
    return 0
  end
  redis.call('DECRBY', KEYS[1], ARGV[1])
  return 1
]]

function buy(wanted)
  return redis.call('EVAL', SELL, 1, 'stock', wanted) == 1
end
