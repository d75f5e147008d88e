-- en: Sleeps for what is left of the lease.
-- zh: 剩余租约有多长，就睡多久。
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
    sleep(math.max(redis.call('PTTL', 'lock'), 1))
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
