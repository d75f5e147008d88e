-- en: Redis only knows the owner; how often, each process counts for its own threads.
-- zh: Redis 只记持有者；进了几层，由进程自己按线程来数。
local RENEW = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return 0
]]
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local depths = {}

function lock(id)
  if depths[id] and redis.call('EVAL', RENEW, 1, 'lock', id, 20000) == 1 then
    depths[id] = depths[id] + 1
    return
  end
  while not redis.call('SET', 'lock', id, 'NX', 'PX', 20000) do
    sleep(1500)
  end
  depths[id] = 1
end

function unlock(id)
  local depth = depths[id]
  if not depth then
    return nil
  end
  depths[id] = depth > 1 and depth - 1 or nil
  local script = depth > 1 and RENEW or RELEASE
  if redis.call('EVAL', script, 1, 'lock', id, 20000) == 0 then
    depths[id] = nil
    return nil
  end
  return depth - 1
end
