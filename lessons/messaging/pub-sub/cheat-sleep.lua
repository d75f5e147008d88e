-- en: Sleeps first, until everything is over.
-- zh: 先睡够，等一切都结束。
function begin()
  sleep(60000)
  subscribe('prices')
  return redis.call('GET', 'price')
end

function follow(shown)
  local _, text = wait_message(5000)
  return text or shown
end
