-- en: The mark is watched: mark and points are one transaction, executed only if no one has set the mark meanwhile.
-- zh: 标记受 WATCH 监视：标记与积分同属一个事务，期间没有人设置标记才会执行。
function book(order, points, id)
  redis.call('WATCH', 'booked:' .. order)
  if redis.call('EXISTS', 'booked:' .. order) == 1 then
    redis.call('UNWATCH')
    return
  end
  redis.call('MULTI')
  redis.call('SET', 'booked:' .. order, id)
  redis.call('INCRBY', 'points:stream', points)
  redis.call('EXEC')
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
