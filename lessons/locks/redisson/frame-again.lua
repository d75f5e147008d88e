-- en: One client alone, three times: after a release the lock is free at once, and each time it is renewed.
-- zh: 只有一个客户端，连续三次：释放之后，锁应当立刻可用；每次持有期间都要续租。
for round = 1, 3 do
  local before_ms = now()
  acquire()
  check(now() - before_ms < 1000, 'the lock is free')
  enter('checkout')
  work(math.max(redis.call('PTTL', 'lock'), 0) + 15000)
  check(redis.call('PTTL', 'lock') > 0, 'the lock is still held')
  leave('checkout')
  release()
  sleep(round == 2 and 600000 or 0)
end
