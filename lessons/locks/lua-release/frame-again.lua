-- en: One server alone, twice: the lock is free at once, and what is saved is there.
-- zh: 只有一台服务器，连续两次：锁立刻可用，写入的值确实在。
for stock = 11, 12 do
  local before_ms = now()
  acquire()
  check(now() - before_ms < 1000, 'the lock is free')
  check(save(stock), 'the owner writes')
  check(redis.call('GET', 'stock') == tostring(stock), 'the stock is written')
  release()
  check(redis.call('EXISTS', 'lock') == 0, 'the lock is deleted')
end
