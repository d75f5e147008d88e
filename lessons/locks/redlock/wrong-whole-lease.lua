-- en: Counts the grants and returns the whole lease, however long it took.
-- zh: 只数同意的节点，不论花了多久，都当作整个租约有效。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local lease_ms = 10000
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
  local granted = 0
  for _, node in ipairs(nodes) do
    if node.pcall('SET', 'lock', token, 'NX', 'PX', lease_ms) == 'OK' then
      granted = granted + 1
    end
  end
  if granted >= 2 then
    return lease_ms
  end
  release()
end
