-- en: One client alone, twice: after a release the lock is free at once, and its lease is what was asked for.
-- zh: 只有一个客户端，连续两次：释放之后锁立刻可用，租约就是所要求的长度。
for _ = 1, 2 do
  local before_ms = now()
  check(acquire(7000), 'a free lock is taken')
  check(now() - before_ms < 1000, 'a free lock is taken at once')
  local left_ms = redis.call('PTTL', 'lock')
  check(left_ms > 6000 and left_ms <= 7000, 'the lease is as long as was asked for')
  work(1000)
  release()
  check(redis.call('EXISTS', 'lock') == 0, 'the lock is deleted')
end
-- en: A late client: its lock has passed to another client.
-- zh: 迟到的客户端：它的锁已经归了别人。
acquire(7000)
redis.call('SET', 'lock', 'another')
release()
check(redis.call('GET', 'lock') == 'another', 'the lock of another client is still there')
