-- en: Makes up for what was missed: publishes the price itself after subscribing.
-- zh: 补上错过的消息：订阅之后自己把价格再发布一遍。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

function begin()
  local text = redis.call('GET', 'price')
  subscribe('prices')
  redis.call('PUBLISH', 'prices', text)
  return text
end

function follow(shown)
  local _, text = wait_message(5000)
  if text and version(text) > version(shown) then
    return text
  end
  return shown
end
