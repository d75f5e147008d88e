-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('DEL', 'lock')
  end
end
