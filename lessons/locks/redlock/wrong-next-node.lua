-- en: Takes the lock on the first node that answers: if r1 is down, then on r2, and so on.
-- zh: 在第一个有答复的节点上加锁：r1 宕机就换 r2，依此类推。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local token

function release()
  for _, node in ipairs(nodes) do
    node.pcall('EVAL', RELEASE, 1, 'lock', token)
  end
end

function acquire()
  token = uuid()
  for _, node in ipairs(nodes) do
    local reply = node.pcall('SET', 'lock', token, 'NX', 'PX', 10000)
    if reply == 'OK' then
      return 9898
    end
    if reply == nil then
      return nil
    end
  end
end
