-- en: Remembers in the process which orders it has booked.
-- zh: 在进程的内存里记住哪些订单已经入账。
local booked = {}

function book(order, points, id)
  if not booked[order] then
    redis.call('INCRBY', 'points:stream', points)
    booked[order] = true
  end
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
