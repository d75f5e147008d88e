-- en: One client alone, twice: after a release the lock is free at once.
-- zh: 只有一个客户端，连续两次：释放之后，锁应当立刻可用。
for _ = 1, 2 do
  local before_ms = now()
  acquire()
  check(now() - before_ms < 1000, 'the lock is free')
  enter('checkout')
  work(1000)
  leave('checkout')
  release()
end
