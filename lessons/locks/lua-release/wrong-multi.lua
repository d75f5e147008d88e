-- en: Looks at the lock and writes in one transaction.
-- zh: 把看锁与写入放进同一个事务。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function save(stock)
  redis.call('MULTI')
  redis.call('GET', 'lock')
  redis.call('SET', 'stock', stock)
  local replies = redis.call('EXEC')
  return replies[1] == token
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
