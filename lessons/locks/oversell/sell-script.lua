-- en: A script reads, compares and subtracts, and no other command runs in between.
-- zh: 脚本完成读、比较、减，期间不执行别的命令。
local SELL = [[
  local stock = tonumber(redis.call('GET', KEYS[1]))
  if stock > 0 then
    redis.call('SET', KEYS[1], stock - 1)
    return 1
  end
  return 0
]]

function sell()
  return redis.call('EVAL', SELL, 1, 'stock') == 1
end
