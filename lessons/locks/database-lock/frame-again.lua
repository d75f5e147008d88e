-- en: One client alone, twice: the row is there while it works, and after a release the lock is free at once.
-- zh: 只有一个客户端，连续两次：工作期间那一行存在，释放之后锁立刻可用。
local eye = connect('db')
for _ = 1, 2 do
  local before_ms = now()
  acquire()
  check(now() - before_ms < 1000, 'the lock is free')
  check(#eye.query("SELECT method FROM method_lock WHERE method = 'transfer'") == 1, 'the row is there while someone works')
  enter('transfer')
  work(1000)
  leave('transfer')
  release()
  check(#eye.query("SELECT method FROM method_lock WHERE method = 'transfer'") == 0, 'the row is gone after a release')
end
