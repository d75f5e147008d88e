-- en: Doubles its pause every time.
-- zh: 每次都把停顿加倍。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  local pause_ms = 500
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(pause_ms)
    pause_ms = pause_ms * 2
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
