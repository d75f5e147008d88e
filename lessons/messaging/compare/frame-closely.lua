-- en: One consumer, looked at step by step: what is booked, when, and how often.
-- zh: 只有一个消费者，逐步检查：给什么入账，什么时候入账，入账几次。
local start_ms = now()
local is_over = false
spawn(function()
  sleep(7200000)
  check(is_over, 'book() always answers')
end)

local function check_next(order, points, id, expected, text)
  book(order, points, id)
  check(total() == expected, text)
end

check(total() == 0, 'the orders are in the stream, and none is booked yet')
check_next('7', 10, '1-0', 10, 'order 7 is booked at once')
check_next('7', 10, '1-0', 10, 'its entry comes again, and nothing changes')
check_next('9', 25, '3-0', 35, 'order 9 is booked')
check_next('8', 10, '2-0', 45, 'order 8 comes late, is worth as much as order 7, and is booked')
check(now() == start_ms, 'book() answers at once')
sleep(3600000)
check_next('7', 10, '1-0', 45, 'the entry of order 7 comes again after an hour, and nothing changes')
check_next('8', 10, '4-0', 45, 'order 8 was sent twice, and nothing changes')
check_next('10', 300, '5-0', 345, 'order 10 is booked')
check(redis.call('XLEN', 'stream') == 5, 'no entry was deleted')
is_over = true
