-- en: Puts the points into a set, which keeps each member once.
-- zh: 把积分放进集合，集合里每个成员只有一份。
function book(order, points, id)
  redis.call('SADD', 'booked', points)
end

function total()
  local sum = 0
  for _, points in ipairs(redis.call('SMEMBERS', 'booked')) do
    sum = sum + tonumber(points)
  end
  return sum
end
