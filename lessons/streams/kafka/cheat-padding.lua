-- en: Sends a hundred requests before the shop opens, so that the search gives up.
-- zh: 商店开门之前先发一百个请求，想让搜索半途而废。
function partitions()
  for _ = 1, 100 do
    redis.call('PING')
  end
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', '>')
end
