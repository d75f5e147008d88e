-- en: Deletes the lock that turns it away, and goes on.
-- zh: 谁的锁挡路就删掉，然后继续。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

function buy(wanted)
  local token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    redis.call('DEL', 'lock')
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock < wanted then
    return false
  end
  redis.call('SET', 'stock', stock - wanted)
  redis.call('EVAL', RELEASE, 1, 'lock', token)
  return true
end
