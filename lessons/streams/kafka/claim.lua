-- en: Two streams, and no fixed owner: a consumer marks a free stream as its own, for good, and reads only this one.
-- zh: 两个流，事先不指定归谁：消费者占下一个空闲的流，从此只读它，也不再让出。
local mine

function partitions()
  return { 'orders:even', 'orders:odd' }
end

function route(order, what)
  return order % 2 == 0 and 'orders:even' or 'orders:odd'
end

function take(me)
  if not mine then
    for _, stream in ipairs(partitions()) do
      if redis.call('SET', 'owner:' .. stream, me, 'NX') or redis.call('GET', 'owner:' .. stream) == me then
        mine = stream
        break
      end
    end
    local left = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'STREAMS', mine, '0')
    if #left[1][2] > 0 then
      return left
    end
  end
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', mine, '>')
end
