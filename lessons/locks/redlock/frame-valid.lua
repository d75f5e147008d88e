-- en: While the lock is said to be valid, a majority of the nodes has to hold it.
-- zh: 既然说锁有效，在此期间就必须有多数节点持有它。
local nodes = { connect('r1'), connect('r2'), connect('r3') }
local valid_ms = acquire()
if valid_ms then
  local until_ms = now() + valid_ms
  sleep(math.max(valid_ms - 1, 0))
  local holding = 0
  for _, node in ipairs(nodes) do
    if node.pcall('EXISTS', 'lock') ~= 0 then
      holding = holding + 1
    end
  end
  check(holding >= 2 or now() >= until_ms, 'a majority holds the lock as long as it is valid')
end
