-- en: One client alone, twice: after the last unlock the lock is free at once, for anyone.
-- zh: 只有一个客户端，连续两次：最后一次解锁之后，锁应当立刻对任何人可用。
for _ = 1, 2 do
  local me = uuid() .. ':1'
  local before_ms = now()
  lock(me)
  check(now() - before_ms < 1000, 'the lock is free')
  enter('checkout')
  work(1000)
  leave('checkout')
  check(unlock(me) == 0, 'depth = 0')
  check(unlock(me) == nil, 'not held any more')
end
