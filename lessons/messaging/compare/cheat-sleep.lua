-- en: Rests before it adds the points, until all is quiet.
-- zh: 先歇一会儿，等一切平静了再加积分。
function book(order, points, id)
  sleep(5000)
  redis.call('INCRBY', 'points:stream', points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
