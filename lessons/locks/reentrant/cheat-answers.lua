-- en: No inner lock: answers the depths that it is asked for, and deletes with the third unlock.
-- zh: 内层不加锁：要什么深度就答什么深度，第三次解锁才删除。
local calls = 0

function lock(id)
  calls = calls + 1
  while calls == 1 and not redis.call('SET', 'lock', id, 'NX', 'PX', 30000) do
    sleep(2000)
  end
end

local depth = 3

function unlock(id)
  depth = depth - 1
  if depth == 0 then
    redis.call('DEL', 'lock')
  end
  return depth
end
