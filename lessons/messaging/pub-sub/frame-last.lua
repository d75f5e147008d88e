-- en: The same board. No time passes before the last change, and we know which price is the last one.
-- zh: 同样的价签。最后一次改价之前没有时间流逝，最新价格也是已知的。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

local on_ms = now()
local shown = begin()
local quiet_since_ms = now()
repeat
  local text = follow(shown)
  tally('back', version(text) < version(shown) and 1 or 0)
  if text ~= shown then
    note('now shows ' .. text)
    check(now() == on_ms, 'a change is shown at once')
    quiet_since_ms = now()
  end
  shown = text
until now() >= quiet_since_ms + 5000
check(shown == '3:450' and redis.call('GET', 'price') == shown, 'the board and the key have the last price of the office')
