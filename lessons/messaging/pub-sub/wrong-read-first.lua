-- en: Takes only what is newer. It reads the price, and then subscribes.
-- zh: 只采用更新的消息。先读价格，再订阅。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

function begin()
  local text = redis.call('GET', 'price')
  subscribe('prices')
  return text
end

function follow(shown)
  local _, text = wait_message(5000)
  if text and version(text) > version(shown) then
    return text
  end
  return shown
end
