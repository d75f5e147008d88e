-- en: One board, looked at closely: what it shows, and when.
-- zh: 只有一个价签，逐步检查：显示什么，什么时候显示。
local function change(text)
  redis.call('SET', 'price', text)
  redis.call('PUBLISH', 'prices', text)
end

-- en: Until the changes of the office are out of the way.
-- zh: 先等总部的改价都结束。
sleep(5000)
change('8:420')
local before_ms = now()
local shown = begin()
check(shown == '8:420', 'begin() returns the price in the key')

-- en: Follows until another price is shown or time has passed.
-- zh: 一直收听，直到显示了另一个价格，或者时间有所流逝。
local function check_next(expected, text)
  local start_ms, old = now(), shown
  repeat
    shown = follow(shown)
  until shown ~= old or now() > start_ms
  check(shown == expected, text)
end

change('9:400')
check_next('9:400', 'version 9 is shown')
change('10:390')
check_next('10:390', 'version 10 is newer than version 9')
check(now() == before_ms, 'a change is shown at once')

-- en: Another office sent this one earlier; it was slow to arrive.
-- zh: 这条消息由另一处更早发出，却来迟了。
redis.call('PUBLISH', 'prices', '9:410')
check_next('10:390', 'a message that comes too late is not shown')

local change_ms = now() + 3023
spawn(function()
  sleep(3023)
  change('11:380')
end)
while shown == '10:390' and now() < change_ms do
  shown = follow(shown)
end
check(shown == '11:380', 'version 11 is shown')
check(now() == change_ms, 'it is shown as soon as there is a message')
check_next('11:380', 'without a message, the same price is shown')
check(now() <= change_ms + 5000, 'follow() waits for five seconds at most')
check(redis.call('GET', 'price') == '11:380', 'only the office changes the key')
