-- en: Waits forever when an order comes a second time.
-- zh: 同一个订单第二次来时，永远等下去。
local BOOK = [[
  if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then
    return 0
  end
  redis.call('INCRBY', KEYS[1], ARGV[2])
  return 1
]]

function book(order, points, id)
  if redis.call('EVAL', BOOK, 2, 'points:stream', 'booked', order, points) == 0 then
    redis.call('BLPOP', 'never', 0)
  end
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
