-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end

function book(order, points, id)
  redis.call('INCRBY', 'points:stream', points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
