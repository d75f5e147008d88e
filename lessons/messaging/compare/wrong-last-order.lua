-- en: A script keeps the greatest order number that was booked, and books only greater ones.
-- zh: 用一个脚本记住已入账的最大订单号，只给更大的入账。
local BOOK = [[
  if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[2]) or 0) then
    redis.call('INCRBY', KEYS[1], ARGV[2])
    redis.call('SET', KEYS[2], ARGV[1])
  end
]]

function book(order, points, id)
  redis.call('EVAL', BOOK, 2, 'points:stream', 'last', order, points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
