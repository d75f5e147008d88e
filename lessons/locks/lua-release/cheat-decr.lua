-- en: Decrements instead of writing the value.
-- zh: 不写算出的值，而是自减。
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
  redis.call('DECR', 'stock')
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
