-- en: Each comes at a different random time; the lock is only for show.
-- zh: 各自随机错开时间，锁只是装样子。
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }

function release()
  for _, node in ipairs(nodes) do
    node.pcall('DEL', 'lock')
  end
end

function acquire()
  sleep(random(1, 10000000))
  for _, node in ipairs(nodes) do
    node.pcall('SET', 'lock', 'x', 'PX', 10000)
  end
  return 9898
end
