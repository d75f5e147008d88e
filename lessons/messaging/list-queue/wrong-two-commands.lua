-- en: Pops an order first, and then notes it in `pending`.
-- zh: 先弹出订单，再把它记到 pending 里。
local seen = {}

function take()
  local got = redis.call('BRPOP', 'orders', 5)
  if got then
    redis.call('LPUSH', 'pending', got[2])
  end
  return got and got[2]
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  local still = {}
  for _, order in ipairs(redis.call('LRANGE', 'pending', 0, -1)) do
    still[order] = seen[order] or now()
  end
  seen = still
  local oldest = redis.call('LINDEX', 'pending', -1)
  if oldest and seen[oldest] and now() - seen[oldest] >= 10000 then
    redis.call('LMOVE', 'pending', 'orders', 'RIGHT', 'RIGHT')
  end
end
