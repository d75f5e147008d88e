-- en: Deletes the entry once its points are added, so that it cannot come again.
-- zh: 加上积分之后就删除条目，让它没法再来。
function book(order, points, id)
  redis.call('INCRBY', 'points:stream', points)
  redis.call('XDEL', 'stream', id)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
