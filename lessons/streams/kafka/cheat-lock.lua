-- en: One stream and a lock: only one consumer at a time has an event in its hands.
-- zh: 只有一个流，再加一把锁：同一时刻只有一个消费者手里有事件。
local is_holding = false

function partitions()
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
  if is_holding then
    redis.call('DEL', 'lock')
  end
  while not redis.call('SET', 'lock', me, 'NX') do
    sleep(500)
  end
  is_holding = true
  local reply = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 100, 'STREAMS', 'orders', '>')
  if not reply then
    redis.call('DEL', 'lock')
  end
  return reply
end
