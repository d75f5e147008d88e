-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end

function begin()
  local text = redis.call('GET', 'price')
  subscribe('prices')
  return text
end

function follow(shown)
  local _, text = wait_message(5000)
  return text or shown
end
