-- en: Sleeps for a random time first, so that clients do not meet.
-- zh: 先随机睡一阵，好让客户端错开。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  sleep(random(1, 10000000))
  redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
