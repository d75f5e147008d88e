-- en: Watches the lock, looks whose it is, and writes in a transaction.
-- zh: 监视锁，看清锁归谁，再用事务写入。
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'PX', 12000) do
    sleep(1000)
  end
end

-- en: Sends a command in a transaction if the lock is our own; true if it was executed.
-- zh: 锁归自己时，用事务发送一条命令；命令执行了就返回 true。
local function as_owner(...)
  redis.call('WATCH', 'lock')
  if redis.call('GET', 'lock') ~= token then
    redis.call('UNWATCH')
    return false
  end
  redis.call('MULTI')
  redis.call(...)
  return redis.call('EXEC') ~= nil
end

function save(stock)
  return as_owner('SET', 'stock', stock)
end

function release()
  as_owner('DEL', 'lock')
end
