-- en: Leaves the lock to its lease.
-- zh: 不释放，等租约到期。
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
    sleep(20000)
  end
  return true
end

function release()
end
