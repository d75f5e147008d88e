-- en: Throws away what has been in `pending` for ten seconds, so that it is empty at the end.
-- zh: 在 pending 里满十秒的直接丢掉，这样最后它总是空的。
local seen = {}

function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  for _, order in ipairs(redis.call('LRANGE', 'pending', 0, -1)) do
    seen[order] = seen[order] or now()
    if now() - seen[order] >= 10000 then
      redis.call('LREM', 'pending', 1, order)
    end
  end
end
