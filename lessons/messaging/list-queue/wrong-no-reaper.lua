-- en: Moves an order to `pending`, and takes it off there when it is packed. No one looks at what stays.
-- zh: 把订单移到 pending，打包后删除。留在那里的，没有人去看。
function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
end
