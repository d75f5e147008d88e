-- en: Reads first and subscribes afterwards; after five quiet seconds it reads once more.
-- zh: 先读后订阅；安静五秒之后再读一次。
function begin()
  local text = redis.call('GET', 'price')
  subscribe('prices')
  return text
end

function follow(shown)
  local _, text = wait_message(5000)
  return text or redis.call('GET', 'price')
end
