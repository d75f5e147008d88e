-- en: Two streams: the order's number decides on the stream, and each stream has one consumer.
-- zh: 两个流：由订单号决定进哪个流，每个流只有一个消费者。
local stream_of = { alice = 'orders:0', bob = 'orders:1' }
local is_new = true

function partitions()
  return { 'orders:0', 'orders:1' }
end

function route(order, what)
  return 'orders:' .. order % 2
end

function take(me)
  -- en: A consumer that has just started asks first for what it has not finished.
  -- zh: 刚启动的消费者，先取自己上次没做完的。
  if is_new then
    is_new = false
    local left = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'STREAMS', stream_of[me], '0')
    if #left[1][2] > 0 then
      return left
    end
  end
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', stream_of[me], '>')
end
