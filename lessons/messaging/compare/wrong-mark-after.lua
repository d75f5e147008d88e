-- en: Adds the points if there is no mark, and sets the mark when that is done.
-- zh: 没有标记就加上积分，加完之后再设标记。
function book(order, points, id)
  if redis.call('EXISTS', 'booked:' .. order) == 0 then
    redis.call('INCRBY', 'points:stream', points)
    redis.call('SET', 'booked:' .. order, id)
  end
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
