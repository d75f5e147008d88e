-- en: No lock: everyone gets in.
-- zh: 不加锁：谁都进得去。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  redis.call('SET', 'lock', token)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
