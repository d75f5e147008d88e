-- en: Any unlock counts, the holder's or not.
-- zh: 谁来解锁都算数，不管是不是持有者。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 1
  end
  return 0
]]
local RELEASE = [[
  local holder = redis.call('HKEYS', KEYS[1])[1]
  if not holder then
    return nil
  end
  local depth = redis.call('HINCRBY', KEYS[1], holder, -1)
  if depth > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  else
    redis.call('DEL', KEYS[1])
  end
  return depth
]]
local lease = 30000

function lock(id)
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id, lease) == 0 do
    sleep(2000)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id, lease)
end
