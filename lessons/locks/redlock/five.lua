-- en: The same lock on five independent nodes: three of them are a majority.
-- zh: 同一把锁，放在五个独立节点上：三个就是多数。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local nodes = {}
for i = 1, 5 do
  nodes[i] = connect('r' .. i, { timeout = 50 })
end
local lease_ms = 10000
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
  if granted >= 3 and valid_ms > 0 then
    return valid_ms
  end
  release()
end

-- en: Works for eight seconds while the lock is valid. Without the lock, it tries again after a random delay.
-- zh: 趁锁有效，处理八秒业务。没拿到锁，就随机等一段时间再试。
local tries = 3
local work_ms = 8000
for _ = 1, tries do
  if acquire() then
    enter('checkout')
    work(work_ms)
    leave('checkout')
    release()
    break
  end
  sleep(random(4500, 6000))
end
