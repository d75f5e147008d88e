-- en: Waits without a timeout, so that no consumer ever goes home.
-- zh: 不设超时地等待，这样消费者永远不会下班。
function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 0)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
end
