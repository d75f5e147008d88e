-- en: Counts up for the owner, and never down: the lock is deleted when the count says 1.
-- zh: 持锁者进来就加一，出去却不减：计数为 1 时才删锁。
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
  local depth = tonumber(redis.call('HGET', KEYS[1], ARGV[1]))
  if depth == 1 then
    redis.call('DEL', KEYS[1])
  end
  return depth - 1
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
