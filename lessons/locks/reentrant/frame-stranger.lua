-- en: While one thread holds the lock, another one tries to unlock it.
-- zh: 一个线程持锁期间，另一个线程试图解锁。
local process = uuid()
local me, other = process .. ':1', process .. ':2'
check(unlock(me) == nil, 'not held yet')
lock(me)
enter('checkout')
check(unlock(other) == nil, 'held by another')
lock(me)
check(unlock(other) == nil, 'held by another')
work(1000)
check(unlock(me) == 1, 'depth = 1')
leave('checkout')
check(unlock(me) == 0, 'depth = 0')
