-- en: Asks twice as often, for three seconds.
-- zh: 问得勤一倍，仍只问三秒。
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
    sleep(500)
    if now() >= deadline_ms then
      return false
    end
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
