-- en: The events go to the two streams in turn, so that both get the same number.
-- zh: 事件轮流进入两个流，让两边一样多。
local stream_of = { alice = 'orders:0', bob = 'orders:1' }
local count = 0
local is_new = true

function partitions()
  return { 'orders:0', 'orders:1' }
end

function route(order, what)
  count = count + 1
  return 'orders:' .. count % 2
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
