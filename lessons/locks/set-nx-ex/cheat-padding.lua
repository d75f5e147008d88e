-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end

function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
