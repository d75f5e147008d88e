-- en: Another client holds the lock for an hour and then crashes. A waiting client does not give up, and gets in soon after.
-- zh: 别的客户端持锁一小时，随后宕机。等待者不放弃，锁空出后很快进去。
redis.call('SET', 'lock', 'another', 'PX', 3600000)
local before_ms = now()
check(acquire(1000), 'a client does not give up')
check(now() - before_ms >= 3600000, 'the lock of another client is respected')
check(now() - before_ms < 3660000, 'a client gets in within a minute after the lock is free')
