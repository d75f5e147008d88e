-- en: Asks who holds the lock, and takes it with the next request.
-- zh: 先问锁在谁手里，下一个请求才去拿。
local RELEASE = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  local depth = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  if depth > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  else
    redis.call('DEL', KEYS[1])
  end
  return depth
]]
local lease = 30000

function lock(id)
  while redis.call('EXISTS', 'lock') == 1 and redis.call('HEXISTS', 'lock', id) == 0 do
    sleep(2000)
  end
  redis.call('HINCRBY', 'lock', id, 1)
  redis.call('PEXPIRE', 'lock', lease)
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id, lease)
end
