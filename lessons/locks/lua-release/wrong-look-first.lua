-- en: Checks whether the lock is still its own, and then writes.
-- zh: 先看锁是否仍归自己，然后写入。
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
  if redis.call('GET', 'lock') ~= token then
    return false
  end
  redis.call('SET', 'stock', stock)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
