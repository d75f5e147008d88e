-- en: The lock holds its owner's token; the owner looks before it deletes.
-- zh: 锁里存着持锁者的令牌，持锁者先看再删。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('DEL', 'lock')
  end
end

---- frame ----
-- en: A server works for nine seconds while it holds the lock.
-- zh: 服务器持锁工作九秒。
local work_ms = 9000
acquire()
enter('checkout')
work(work_ms)
leave('checkout')
release()
