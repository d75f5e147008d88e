-- en: Waits in line: the list `turn` holds one element while no one is inside.
-- zh: 排队：没有人在里面时，列表 turn 里有一个元素。
function acquire(lease_ms)
  redis.call('BLPOP', 'turn', 0)
  return true
end

function release()
  redis.call('RPUSH', 'turn', 'go')
end
