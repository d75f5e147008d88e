-- en: One client alone, twice: there is a lock, and after a release it is free at once.
-- zh: 只有一个客户端，连续两次：加锁后锁存在，释放之后立刻可用。
for _ = 1, 2 do
  local before_ms = now()
  acquire()
  check(now() - before_ms < 1000, 'the lock is free')
  check(redis.call('EXISTS', 'lock') == 1, 'there is a lock while someone is inside')
  enter('checkout')
  work(1000)
  leave('checkout')
  release()
end
