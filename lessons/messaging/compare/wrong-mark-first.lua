-- en: Sets a mark for the order, and adds its points only if the mark was not there.
-- zh: 先给订单设标记；标记原先不存在，才加上积分。
function book(order, points, id)
  if redis.call('SET', 'booked:' .. order, id, 'NX') then
    redis.call('INCRBY', 'points:stream', points)
  end
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
