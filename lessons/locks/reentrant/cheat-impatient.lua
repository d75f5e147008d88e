-- en: Asks three times and then goes in anyway.
-- zh: 问三次，拿不到也照样进去。
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
  if depth > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  else
    redis.call('DEL', KEYS[1])
  end
  return depth
]]
local lease = 30000

function lock(id)
  for _ = 1, 3 do
    if redis.call('EVAL', ACQUIRE, 1, 'lock', id, lease) == 1 then
      return
    end
    sleep(2000)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id, lease)
end
