-- en: Only the outermost call takes a lock; the inner ones are counted in a variable that all threads share.
-- zh: 只有最外层真的加锁；内层只在各线程共用的变量里计数。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local depth = 0

function lock(id)
  if depth == 0 then
    while not redis.call('SET', 'lock', id, 'NX', 'PX', 30000) do
      sleep(2000)
    end
  end
  depth = depth + 1
end

function unlock(id)
  depth = depth - 1
  if depth == 0 then
    redis.call('EVAL', RELEASE, 1, 'lock', id)
  end
  return depth
end
