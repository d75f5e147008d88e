-- en: Sends twenty requests first, so that the search gives up.
-- zh: 先发二十个请求，想让搜索半途而废。
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
  for _ = 1, 20 do redis.call('PING') end
  redis.call('SET', 'stock', stock)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
