-- en: Never writes, so nothing is ever lost.
-- zh: 从不写入，也就什么都不会丢。
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
  return false
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
