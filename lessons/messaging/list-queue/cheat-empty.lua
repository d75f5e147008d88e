-- en: Empties both lists at the end, so that every consumer goes home.
-- zh: 最后清空两个列表，好让消费者都能下班。
function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  redis.call('DEL', 'orders', 'pending')
end
