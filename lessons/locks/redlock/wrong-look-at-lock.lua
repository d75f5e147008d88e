-- en: Checks whether someone holds the lock on a majority of the nodes, and then writes.
-- zh: 先看多数节点上是否还有锁，然后写。
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local store = connect('store')

function write(fence, report)
  local locked = 0
  for _, node in ipairs(nodes) do
    locked = locked + node.call('EXISTS', 'lock')
  end
  if locked < 2 then
    return false
  end
  store.call('SET', 'report', report)
  return true
end
