-- en: The first one in outlasts its lease and comes out while the second one works; the lock of the second one has to stay.
-- zh: 第一个进去的业务超过租约，在第二个工作期间才出来；第二个的锁必须还在。
acquire()
enter('checkout')
local mine = redis.call('GET', 'lock')
local left_ms = redis.call('PTTL', 'lock')
if redis.call('INCR', 'entered') == 1 then
  redis.call('BLPOP', 'second', 86400)
else
  redis.call('LPUSH', 'second', 'inside')
  work(math.max(left_ms, 0) / 2)
  check(mine and redis.call('GET', 'lock') == mine, 'the lock is still there')
end
leave('checkout')
release()
