-- en: Waits for the lock instead of giving up.
-- zh: 不放弃，一直等到拿到锁。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

function buy(wanted)
  local token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(6000)
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  local is_enough = stock >= wanted
  if is_enough then
    redis.call('SET', 'stock', stock - wanted)
  end
  redis.call('EVAL', RELEASE, 1, 'lock', token)
  return is_enough
end
