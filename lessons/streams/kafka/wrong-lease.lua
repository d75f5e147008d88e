-- en: Two streams; a consumer holds a lease of ten seconds on its stream, and takes over the other one when that lease is over.
-- zh: 两个流；消费者对正在读的流持有十秒租约，对方的租约一到期，就接管那个流。
local is_new = true

function partitions()
  return { 'orders:0', 'orders:1' }
end

function route(order, what)
  return 'orders:' .. order % 2
end

function take(me)
  for _ = 1, 2 do
    for _, stream in ipairs(partitions()) do
      local owner = 'owner:' .. stream
      if redis.call('SET', owner, me, 'NX', 'PX', 10000) or redis.call('GET', owner) == me then
        redis.call('PEXPIRE', owner, 10000)
        local left = is_new and redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'STREAMS', stream, '0')
        is_new = false
        if left and #left[1][2] > 0 then
          return left
        end
        local reply = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 6000, 'STREAMS', stream, '>')
        if reply then
          return reply
        end
      end
    end
  end
end
