-- en: Writes the report to the store: the last writer wins.
-- zh: 把报告写进存储：谁最后写，就以谁为准。
local store = connect('store')

function write(fence, report)
  store.call('SET', 'report', report)
  return true
end

---- frame ----
-- en: Takes the lock on a majority of the nodes, draws a fencing token, works, and writes a report. The lease ends by itself.
-- zh: 在多数节点上加锁，领一个防护令牌，处理业务，写报告。租约到期，锁自行失效。
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local store = connect('store')
for _ = 1, 2 do
  local token = uuid()
  local begun_ms = now()
  local granted = 0
  for _, node in ipairs(nodes) do
    if node.pcall('SET', 'lock', token, 'NX', 'PX', 10000) == 'OK' then
      granted = granted + 1
    end
  end
  if granted >= 2 and now() - begun_ms < 9898 then
    local fence = store.call('INCR', 'fence')
    produced(fence)
    work(8000)
    if write(fence, 'report ' .. fence) then
      processed(fence)
    end
    break
  end
  sleep(11000)
end
