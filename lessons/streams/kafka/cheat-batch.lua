-- en: Takes as many events as there are, so that one consumer has them all.
-- zh: 有多少领多少，让一个消费者全部领走。
function partitions()
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
  sleep(100)
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'BLOCK', 5000, 'STREAMS', 'orders', '>')
end
