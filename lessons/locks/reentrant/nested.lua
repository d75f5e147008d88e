-- en: The lock of the lessons before: a token and a lease, but it knows only "taken" and "free".
-- zh: 前几级的锁：有令牌，有租约，却只认得“占用”和“空闲”。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return nil
]]

function lock(id)
  while not redis.call('SET', 'lock', id, 'NX', 'PX', 10000) do
    sleep(11000)
  end
end

function unlock(id)
  if redis.call('EVAL', RELEASE, 1, 'lock', id) then
    return 0
  end
end
