-- en: A sorted set: the member is the order, the score its points.
-- zh: 有序集合：成员是订单，分数是它的积分。
function book(order, points, id)
  redis.call('ZADD', 'booked', points, order)
end

function total()
  local sum = 0
  local all = redis.call('ZRANGE', 'booked', 0, -1, 'WITHSCORES')
  for i = 2, #all, 2 do
    sum = sum + tonumber(all[i])
  end
  return sum
end
