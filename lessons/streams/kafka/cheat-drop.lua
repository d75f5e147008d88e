-- en: Sends `paid` where no one reads.
-- zh: 把 paid 送到没有人读的地方。
local stream_of = { alice = 'orders:0', bob = 'orders:1' }
local is_new = true

function partitions()
  return { 'orders:0', 'orders:1' }
end

function route(order, what)
  return what == 'paid' and 'elsewhere' or 'orders:' .. order % 2
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
