-- en: Puts a lock with a lease and a token around the three commands.
-- zh: 用一把带租约和令牌的锁把三条命令包起来。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

function take(n)
  local token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'PX', 10000) do
    sleep(1000)
  end
  local got = 0
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  local released = tonumber(redis.call('HGET', 'item', 'released'))
  if n > 0 and released + n <= total then
    redis.call('HINCRBY', 'item', 'released', n)
    got = n
  end
  redis.call('EVAL', RELEASE, 1, 'lock', token)
  return got
end
