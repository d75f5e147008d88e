-- en: Looks at the counter and counts in one script: there is no conflict.
-- zh: 看计数器与计数在同一个脚本里完成：不会有冲突。
local COUNT = [[
  if tonumber(redis.call('GET', KEYS[1])) >= 20 then
    return 0
  end
  redis.call('INCR', KEYS[1])
  return 1
]]

function buy()
  if redis.call('EVAL', COUNT, 1, 'sold') == 1 then
    return 'won'
  end
  return 'sold-out'
end
