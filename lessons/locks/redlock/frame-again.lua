-- en: One client alone: after a release all nodes are free at once, and without one when ten seconds are over.
-- zh: 只有一个客户端：释放之后，所有节点立刻空出；不释放，十秒之后也空出。
local nodes = { connect('r1'), connect('r2'), connect('r3') }
local function holding()
  local count = 0
  for _, node in ipairs(nodes) do
    count = count + node.call('EXISTS', 'lock')
  end
  return count
end
for round = 1, 2 do
  local valid_ms = acquire()
  check(valid_ms, 'the lock is free')
  check(valid_ms and valid_ms >= 8000 and valid_ms <= 10000, 'it is valid for eight to ten seconds')
  check(holding() >= 2, 'a majority holds it')
  if round == 1 then
    release()
    check(holding() == 0, 'it is released on all nodes')
  end
end
sleep(10100)
check(holding() == 0, 'the lease is over')
