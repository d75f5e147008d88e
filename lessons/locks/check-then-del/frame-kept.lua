-- en: Works half its lease, and checks whether its lock is still there; a client that was paused too long does not look.
-- zh: 业务用掉一半租约，再看自己的锁还在不在；停顿太久的客户端不必看。
acquire()
enter('checkout')
local since_ms = now()
local mine = redis.call('GET', 'lock')
local left_ms = redis.call('PTTL', 'lock')
work(math.max(left_ms, 0) / 2)
local found = redis.call('GET', 'lock')
check(found == mine or now() - since_ms >= left_ms, 'the lock is still there')
leave('checkout')
release()
