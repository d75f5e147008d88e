-- en: Looks at the lock twenty times before it writes.
-- zh: 写入之前把锁看上二十遍。
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
  for _ = 1, 20 do
    if redis.call('GET', 'lock') ~= token then
      return false
    end
  end
  redis.call('SET', 'stock', stock)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
