-- en: Work of two seconds under a lease of an hour: the waiting client gets in within a minute.
-- zh: 工作两秒，租约一小时：等待者一分钟之内能进去。
local lease_ms = 3600000
local before_ms = now()
if acquire(lease_ms) then
  check(now() - before_ms < 62000, 'a client gets in within a minute after the lock is free')
  enter('checkout')
  work(2000)
  leave('checkout')
  release()
end
