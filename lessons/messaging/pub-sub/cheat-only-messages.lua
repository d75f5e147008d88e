-- en: Never reads the key: what is new will be announced.
-- zh: 从不读键：有新价格自会通知。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

function begin()
  subscribe('prices')
  return '1:500'
end

function follow(shown)
  local _, text = wait_message(5000)
  if text and version(text) > version(shown) then
    return text
  end
  return shown
end
