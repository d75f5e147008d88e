-- en: Reads the price, and then listens for changes. The number of a price: `version('2:480')` is 2.
-- zh: 先读价格，再收听改价的消息。价格的版本号：version('2:480') 等于 2。
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
  return text or shown
end

---- frame ----
-- en: A board is switched on, shows a price, and follows the changes. After five quiet seconds it is switched off.
-- zh: 价签开机，显示价格，随改价更新；安静满五秒就关机。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

local shown = begin()
local quiet_since_ms = now()
repeat
  local asked_ms = now()
  local text = follow(shown)
  tally('back', version(text) < version(shown) and 1 or 0)
  if text ~= shown then
    note('now shows ' .. text)
    check(now() < asked_ms + 5000, 'a change is shown at once')
    quiet_since_ms = now()
  end
  shown = text
until now() >= quiet_since_ms + 5000
check(shown == redis.call('GET', 'price'), 'the board shows what is in the key')
