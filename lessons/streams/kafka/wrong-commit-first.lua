-- en: One stream without a group: each consumer reads all of it, skips the other one's orders, and commits as soon as it has read.
-- zh: 只有一个流，不用组：消费者各自读整个流，跳过归别人的订单；一读到条目，就提交自己的位置。
local remainder = { alice = 0, bob = 1 }

function partitions()
  return {}
end

function route(order, what)
  return 'orders'
end

function take(me)
  while true do
    local position = redis.call('GET', 'offset:' .. me) or '0'
    local reply = redis.call('XREAD', 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', position)
    if not reply then
      return nil
    end
    local entry = reply[1][2][1]
    redis.call('SET', 'offset:' .. me, entry[1])
    if entry[2][2] % 2 == remainder[me] then
      return reply
    end
  end
end
