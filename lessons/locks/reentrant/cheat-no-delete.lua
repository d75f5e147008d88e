-- en: Never deletes the lock: its short lease does.
-- zh: 从不删锁，等短租约自己到期。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 1
  end
  return 0
]]
local RELEASE = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  local depth = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  return depth
]]
local lease = 3000

function lock(id)
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id, lease) == 0 do
    sleep(2000)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id, lease)
end
