-- en: The lock of the lessons before: one node, a lease, a token, release by script.
-- zh: 前几课的锁：一个节点，有租约，有令牌，用脚本释放。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local node = connect('r1', { timeout = 50 })
local lease_ms = 10000
local token

function release()
  node.pcall('EVAL', RELEASE, 1, 'lock', token)
end

function acquire()
  token = uuid()
  if node.pcall('SET', 'lock', token, 'NX', 'PX', lease_ms) == 'OK' then
    return lease_ms
  end
end
