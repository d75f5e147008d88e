-- en: Subscribes, reads the price, and takes a message only if it is newer than what is shown.
-- zh: 先订阅，再读价格；只有比当前显示更新的消息才采用。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

function begin()
  subscribe('prices')
  return redis.call('GET', 'price')
end

function follow(shown)
  local _, text = wait_message(5000)
  if text and version(text) > version(shown) then
    return text
  end
  return shown
end
