-- en: Takes the lock away if it waits for too long.
-- zh: 等得太久，就把锁抢过来。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  local deadline_ms = now() + 3000
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(1000)
    if now() >= deadline_ms then
      redis.call('SET', 'lock', token, 'PX', lease_ms)
      return true
    end
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
