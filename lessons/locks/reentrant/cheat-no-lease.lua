-- en: A lock without a lease, which no work can outlast.
-- zh: 锁不设租约，业务再久也不会到期。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
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

function lock(id)
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id) == 0 do
    sleep(2000)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id)
end
