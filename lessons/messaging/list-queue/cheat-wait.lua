-- en: Waits until `pending` is empty, which is so in the end unless someone has crashed.
-- zh: 一直等到 pending 变空；只要没有人宕机，最后总会空的。
function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  while redis.call('LLEN', 'pending') > 0 do
    sleep(5000)
  end
end
