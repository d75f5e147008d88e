-- en: Writes down when the lock is released: those who wait should get it then, and not when a lease is over.
-- zh: 记下释放的时刻：等待者应当在那时拿到锁，而不是等到租约到期。
local work_ms = 15000
acquire()
local freed_ms = redis.call('GET', 'freed')
check(not freed_ms or now() - freed_ms <= 1000, 'woken in time')
enter('checkout')
work(work_ms)
leave('checkout')
redis.call('SET', 'freed', now())
release()
