-- en: Works half a minute longer than what is left of the lease, however long the lease is.
-- zh: 无论租约多长，业务总比剩余租约多做半分钟。
acquire()
enter('checkout')
local left_ms = redis.call('PTTL', 'lock')
check(left_ms > 0, 'the lock has a lease')
work(math.max(left_ms, 0) + 30000)
leave('checkout')
release()
