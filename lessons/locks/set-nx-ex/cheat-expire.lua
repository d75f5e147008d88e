-- en: Never deletes the lock, but lets it expire in a millisecond, no matter whose it is.
-- zh: 从不删除锁，而是让它一毫秒后到期，不管锁在谁手里。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
    sleep(500)
  end
end

function release()
  redis.call('PEXPIRE', 'lock', 1)
end
