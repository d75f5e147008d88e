-- en: Lets the owner in again, but does not count how often.
-- zh: 放持锁者再次进入，却不数进了几层。
local ACQUIRE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
    return 1
  end
  return 0
]]
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return nil
]]

function lock(id)
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id, 30000) == 0 do
    sleep(2000)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id)
end
