-- en: One stream for each kind of event, and one consumer for each stream.
-- zh: 每种事件一个流，每个流一个消费者。
local stream_of = { alice = 'orders:created', bob = 'orders:paid' }
local is_new = true

function partitions()
  return { 'orders:created', 'orders:paid' }
end

function route(order, what)
  return 'orders:' .. what
end

function take(me)
  if is_new then
    is_new = false
    local left = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'STREAMS', stream_of[me], '0')
    if #left[1][2] > 0 then
      return left
    end
  end
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', stream_of[me], '>')
end
