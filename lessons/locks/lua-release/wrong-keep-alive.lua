-- en: Renews the lease for ten seconds before it writes.
-- zh: 写入之前把租约续期十秒。
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
  redis.call('EXPIRE', 'lock', 10)
  redis.call('SET', 'stock', stock)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
