-- en: Sends ten requests first, so that the search gives up.
-- zh: 先发十个请求，想让搜索半途而废。
function buy()
  for _ = 1, 10 do
    redis.call('PING')
  end
  redis.call('INCR', 'sold')
  return 'won'
end
