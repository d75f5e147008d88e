-- en: Only reads the oldest order, and removes it when it is packed.
-- zh: 只读最早的订单，打包之后才删除。
function take()
  local order = redis.call('LINDEX', 'orders', -1)
  if not order then
    sleep(5000)
  end
  return order
end

function done(order)
  redis.call('LREM', 'orders', -1, order)
end

function reap()
end
