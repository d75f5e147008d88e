-- en: Looks for the mark; if there is none, mark and points are one transaction.
-- zh: 先查标记；没有标记，就在一个事务里设标记、加积分。
function book(order, points, id)
  if redis.call('SISMEMBER', 'booked', order) == 0 then
    redis.call('MULTI')
    redis.call('SADD', 'booked', order)
    redis.call('INCRBY', 'points:stream', points)
    redis.call('EXEC')
  end
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
