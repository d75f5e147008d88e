-- en: Deletes nothing, but lets the lock expire in a millisecond.
-- zh: 不删除，只让锁一毫秒后到期。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(500)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('PEXPIRE', 'lock', 1)
  end
end
