-- en: Sends twenty requests first, so that the search gives up.
-- zh: 先发二十个请求，想让搜索半途而废。
function buy(wanted)
  for _ = 1, 20 do
    redis.call('PING')
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  redis.call('SET', 'stock', stock - wanted)
  return true
end
