-- en: Takes a message as a signal only, and reads the key again.
-- zh: 只把消息当作信号，收到就重新读键。
function begin()
  subscribe('prices')
  return redis.call('GET', 'price')
end

function follow(shown)
  if wait_message(5000) then
    return redis.call('GET', 'price')
  end
  return shown
end
