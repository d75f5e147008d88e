-- en: A lease of a day.
-- zh: 租约设成一天。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local lease_ms = 86400000
local drift_ms = lease_ms / 100 + 2
local token

-- en: On all nodes: if a reply was lost, its node may still hold the lock.
-- zh: 在所有节点上释放：回复丢失的节点，也可能已经加上了锁。
function release()
  for _, node in ipairs(nodes) do
    node.pcall('EVAL', RELEASE, 1, 'lock', token)
  end
end

-- en: One attempt. Returns for how many ms the lock is valid, or nil.
-- zh: 尝试一次。返回锁还有效多少毫秒；没拿到，返回 nil。
function acquire()
  token = uuid()
  local begun_ms = now()
  local granted = 0
  for _, node in ipairs(nodes) do
    if node.pcall('SET', 'lock', token, 'NX', 'PX', lease_ms) == 'OK' then
      granted = granted + 1
    end
  end
  local valid_ms = lease_ms - (now() - begun_ms) - drift_ms
  if granted >= 2 and valid_ms > 0 then
    return 9898
  end
  release()
end
