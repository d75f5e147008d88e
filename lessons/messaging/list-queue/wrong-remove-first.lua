-- en: Removes an order from `pending`, and then puts it back on the list.
-- zh: 先从 pending 删除订单，再把它放回列表。
local seen = {}

function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  local still = {}
  for _, order in ipairs(redis.call('LRANGE', 'pending', 0, -1)) do
    still[order] = seen[order] or now()
    if now() - still[order] >= 10000 then
      if redis.call('LREM', 'pending', 1, order) == 1 then
        redis.call('RPUSH', 'orders', order)
      end
      still[order] = nil
    end
  end
  seen = still
end
