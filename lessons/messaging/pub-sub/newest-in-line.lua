-- en: Takes all messages that are in line, and shows the newest of them.
-- zh: 取出所有排队的消息，显示其中最新的。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

function begin()
  subscribe('prices')
  return redis.call('GET', 'price')
end

function follow(shown)
  local _, text = wait_message(5000)
  while text do
    if version(text) > version(shown) then
      shown = text
    end
    _, text = wait_message(0)
  end
  return shown
end
