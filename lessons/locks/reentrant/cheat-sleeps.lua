-- en: Each comes at a different random time, and counts the depth by itself.
-- zh: 各自随机错开时间，层数自己数。
local depths = {}

function lock(id)
  if not depths[id] then
    sleep(random(1, 1000000))
    redis.call('SET', 'lock', id, 'PX', 30000)
  end
  depths[id] = (depths[id] or 0) + 1
end

function unlock(id)
  local depth = depths[id]
  if not depth then
    return nil
  end
  depths[id] = depth > 1 and depth - 1 or nil
  if depth == 1 then
    redis.call('DEL', 'lock')
  end
  return depth - 1
end
