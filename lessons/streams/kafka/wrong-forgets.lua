-- en: By the order's number, one consumer for each stream; but it only ever asks for what is new.
-- zh: 按订单号分流，每个流一个消费者；但它只领新的条目。
local stream_of = { alice = 'orders:0', bob = 'orders:1' }

function partitions()
  return { 'orders:0', 'orders:1' }
end

function route(order, what)
  return 'orders:' .. order % 2
end

function take(me)
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', stream_of[me], '>')
end
