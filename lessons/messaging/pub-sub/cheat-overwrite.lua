-- en: When nothing comes, makes the key what the board shows.
-- zh: 没有消息时，价签显示什么，就把键改成什么。
function begin()
  local text = redis.call('GET', 'price')
  subscribe('prices')
  return text
end

function follow(shown)
  local _, text = wait_message(5000)
  if not text then
    redis.call('SET', 'price', shown)
  end
  return text or shown
end
