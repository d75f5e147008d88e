-- en: Sends twenty requests first, to make the search give up.
-- zh: 先发二十个请求，想让搜索半途而废。
for _ = 1, 20 do
  redis.call('PING')
end

function sell()
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock > 0 then
    redis.call('SET', 'stock', stock - 1)
    return true
  end
  return false
end
