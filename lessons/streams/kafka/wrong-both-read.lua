-- en: The order's number decides on the stream, and both consumers read both streams.
-- zh: 由订单号决定进哪个流，两个消费者都读两个流。
function partitions()
  return { 'orders:0', 'orders:1' }
end

function route(order, what)
  return 'orders:' .. order % 2
end

function take(me)
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders:0', 'orders:1', '>', '>')
end
