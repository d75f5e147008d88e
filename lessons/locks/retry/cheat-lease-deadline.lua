-- en: Gives up after ten leases.
-- zh: 等满十个租约就放弃。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  local deadline_ms = now() + 10 * lease_ms
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(10000)
    if now() >= deadline_ms then
      return false
    end
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
