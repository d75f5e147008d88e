-- en: Asks for the lock three times before it gives up.
-- zh: 连要三次锁，要不到才放弃。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

function buy(wanted)
  local token = uuid()
  local is_mine = false
  for _ = 1, 3 do
    is_mine = is_mine or redis.call('SET', 'lock', token, 'NX', 'EX', 10)
  end
  if not is_mine then
    return nil
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  local is_enough = stock >= wanted
  if is_enough then
    redis.call('SET', 'stock', stock - wanted)
  end
  redis.call('EVAL', RELEASE, 1, 'lock', token)
  return is_enough
end
