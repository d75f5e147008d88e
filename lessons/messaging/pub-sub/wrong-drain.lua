-- en: Subscribes, reads the price, and throws away what has come by then: it must be older.
-- zh: 先订阅，再读价格，然后把此前收到的消息都扔掉：它们一定更旧。
function begin()
  subscribe('prices')
  local text = redis.call('GET', 'price')
  while wait_message(0) do
  end
  return text
end

function follow(shown)
  local _, text = wait_message(5000)
  return text or shown
end
