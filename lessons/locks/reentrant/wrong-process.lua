-- en: Takes the identity of the process, which all its threads share.
-- zh: 以进程的标识作凭据，同一进程的线程都相同。
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
  id = id:match("^[^:]+")
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id, lease) == 0 do
    sleep(2000)
  end
end

function unlock(id)
  id = id:match("^[^:]+")
  return redis.call('EVAL', RELEASE, 1, 'lock', id, lease)
end
