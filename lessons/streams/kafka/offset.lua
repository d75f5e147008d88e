-- en: One stream without a group: each consumer reads all of it, skips the other one's orders, and commits when it is done.
-- zh: 只有一个流，不用组：消费者各自读整个流，跳过归别人的订单；处理完再来领取时，才提交自己的位置。
local remainder = { alice = 0, bob = 1 }
local position

function partitions()
  return {}
end

function route(order, what)
  return 'orders'
end

function take(me)
  while true do
    if position then
      redis.call('SET', 'offset:' .. me, position)
    end
    position = position or redis.call('GET', 'offset:' .. me) or '0'
    local reply = redis.call('XREAD', 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', position)
    if not reply then
      return nil
    end
    local entry = reply[1][2][1]
    position = entry[1]
    if entry[2][2] % 2 == remainder[me] then
      return reply
    end
  end
end
