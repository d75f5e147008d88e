-- en: Never extends the lease, and makes it ten minutes long instead.
-- zh: 从不续租，而是把租约设成十分钟。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    if redis.call('HINCRBY', KEYS[1], ARGV[1], 1) == 1 then
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
    end
    return 1
  end
  return 0
]]
local RELEASE = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  local depth = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  if depth == 0 then
    redis.call('DEL', KEYS[1])
  end
  return depth
]]
local lease = 600000

function lock(id)
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id, lease) == 0 do
    sleep(2000)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id)
end
