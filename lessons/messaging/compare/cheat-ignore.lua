-- en: Acknowledges first, and pays no attention to errors.
-- zh: 先确认，出了错也不理会。
function book(order, points, id)
  redis.pcall('XACK', 'stream', 'shop', id)
  redis.pcall('INCRBY', 'points:stream', points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
