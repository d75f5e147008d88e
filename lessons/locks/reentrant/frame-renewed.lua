-- en: Works twice as long as the lease lasts, and each lock and each unlock comes in time to extend it.
-- zh: 业务总长是租约的两倍，而每次加锁、解锁都赶得上续租。
local me = uuid() .. ':1'
lock(me)
enter('checkout')
local part_ms = math.floor(math.max(0, redis.call('PTTL', 'lock')) * 2 / 3)
check(part_ms > 0, 'the lock has a lease')
work(part_ms)
lock(me)
work(part_ms)
check(unlock(me) == 1, 'depth = 1')
work(part_ms)
leave('checkout')
check(unlock(me) == 0, 'depth = 0')
