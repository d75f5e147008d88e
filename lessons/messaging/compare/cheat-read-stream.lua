-- en: Books nothing, and adds up what is in the stream, each order once.
-- zh: 什么也不入账，只把流里的订单加起来，每个订单算一次。
function book(order, points, id)
end

function total()
  local sum, seen = 0, {}
  for _, entry in ipairs(redis.call('XRANGE', 'stream', '-', '+')) do
    local order, points = entry[2][2], tonumber(entry[2][4])
    sum = sum + (seen[order] and 0 or points)
    seen[order] = true
  end
  return sum
end
