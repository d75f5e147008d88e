-- en: The older command to move; the reaper looks at the oldest order only, and puts it back in a transaction.
-- zh: 用较早的移动命令；回收者只看最早的订单，用事务放回去。
local oldest, since_ms

function take()
  return redis.call('BRPOPLPUSH', 'orders', 'pending', 5)
end

function done(order)
  redis.call('LREM', 'pending', -1, order)
end

function reap()
  redis.call('WATCH', 'pending')
  local order = redis.call('LINDEX', 'pending', -1)
  if order ~= oldest then
    oldest, since_ms = order, now()
  end
  if order and now() - since_ms >= 10000 then
    oldest = nil
    redis.call('MULTI')
    redis.call('RPOPLPUSH', 'pending', 'orders')
    redis.call('EXEC')
  else
    redis.call('UNWATCH')
  end
end
