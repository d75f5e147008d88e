-- en: Adds up the whole stream as far as this entry, each order once, and keeps the greatest sum.
-- zh: 把流里到这个条目为止的订单全部加起来，每个订单算一次，保留最大的和。
function book(order, points, id)
  local sum, seen = 0, {}
  for _, entry in ipairs(redis.call('XRANGE', 'stream', '-', id)) do
    local order, points = entry[2][2], tonumber(entry[2][4])
    sum = sum + (seen[order] and 0 or points)
    seen[order] = true
  end
  redis.call('ZADD', 'booked', 'GT', sum, 'sum')
end

function total()
  return tonumber(redis.call('ZSCORE', 'booked', 'sum') or 0)
end
