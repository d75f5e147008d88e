-- en: Subscribes, reads the price, and shows each message as it comes.
-- zh: 先订阅，再读价格；来什么消息就显示什么。
function begin()
  subscribe('prices')
  return redis.call('GET', 'price')
end

function follow(shown)
  local _, text = wait_message(5000)
  return text or shown
end
