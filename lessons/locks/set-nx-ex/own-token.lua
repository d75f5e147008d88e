-- en: The lock holds a token of its owner, which compares it before deleting.
-- zh: 锁里存放持有者的令牌，删除之前先比较。
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
