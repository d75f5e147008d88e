-- en: A method that holds the lock calls another one that takes it, too, and then goes on for longer than the lease.
-- zh: 持锁的方法调用另一个也要加锁的方法，返回之后还要继续，时间超过租约。
acquire()
enter('checkout')
acquire()
work(1000)
release()
local left_ms = redis.call('PTTL', 'lock')
check(left_ms > 0, 'the lock is still held')
work(math.max(left_ms, 0) + 15000)
leave('checkout')
release()
