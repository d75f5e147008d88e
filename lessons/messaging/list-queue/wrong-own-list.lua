-- en: Each consumer keeps its orders in a list of its own, and puts back what is left there when it starts again.
-- zh: 每个消费者把订单存在自己的列表里，重新启动时再把剩下的放回去。
local mine = 'pending:' .. uuid()
while redis.call('LMOVE', mine, 'orders', 'RIGHT', 'RIGHT') do
end

function take()
  return redis.call('BLMOVE', 'orders', mine, 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', mine, 1, order)
end

function reap()
end
