-- en: Remembers the stock, and subtracts the difference in one command.
-- zh: 记下库存，再用一条命令减去差额。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token, before

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
  before = redis.call('GET', 'stock')
end

function save(stock)
  redis.call('DECRBY', 'stock', before - stock)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
