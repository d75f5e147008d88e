-- en: Each comes at a different random time; the lock is only for show.
-- zh: 各自随机错开时间，锁只是装样子。
function acquire()
  sleep(random(1, 10000000))
  redis.call('SET', 'lock', 'x', 'PX', 30000)
end

function release()
  redis.call('DEL', 'lock')
end
