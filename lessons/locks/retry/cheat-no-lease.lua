-- en: Takes the lock without a lease.
-- zh: 加锁时不设租约。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX') do
    sleep(20000)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
