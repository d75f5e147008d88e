-- en: One stream; a consumer that has got an event locks its order, and lets it go when it asks for the next event.
-- zh: 只有一个流；消费者领到事件后锁住该订单，领取下一个事件时才放开。
local held

function partitions()
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
  if held then
    redis.call('DEL', held)
    held = nil
  end
  local reply = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', '>')
  if reply then
    held = 'lock:' .. reply[1][2][1][2][2]
    while not redis.call('SET', held, me, 'NX') do
      sleep(500)
    end
  end
  return reply
end
