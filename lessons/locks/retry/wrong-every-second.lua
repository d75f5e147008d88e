-- en: Asks once a second until it gets the lock.
-- zh: 每秒问一次，直到拿到锁。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(1000)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
