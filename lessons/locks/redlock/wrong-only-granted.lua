-- en: Remembers which nodes have granted the lock, and releases only these.
-- zh: 记下同意的节点，只在这些节点上释放。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local lease_ms = 10000
local drift_ms = lease_ms / 100 + 2
local token
local granting = {}

function release()
  for _, node in ipairs(granting) do
    node.pcall('EVAL', RELEASE, 1, 'lock', token)
  end
end

-- en: One attempt. Returns for how many ms the lock is valid, or nil.
-- zh: 尝试一次。返回锁还有效多少毫秒；没拿到，返回 nil。
function acquire()
  token = uuid()
  local begun_ms = now()
  granting = {}
  for _, node in ipairs(nodes) do
    if node.pcall('SET', 'lock', token, 'NX', 'PX', lease_ms) == 'OK' then
      granting[#granting + 1] = node
    end
  end
  local valid_ms = lease_ms - (now() - begun_ms) - drift_ms
  if #granting >= 2 and valid_ms > 0 then
    return valid_ms
  end
  release()
end
