-- en: Subscribes, reads the price, and takes a message if it is greater than what is shown.
-- zh: 先订阅，再读价格；消息比当前显示的大，才采用。
function begin()
  subscribe('prices')
  return redis.call('GET', 'price')
end

function follow(shown)
  local _, text = wait_message(5000)
  if text and text > shown then
    return text
  end
  return shown
end
