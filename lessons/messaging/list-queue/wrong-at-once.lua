-- en: Puts back whatever is in `pending`, at once.
-- zh: 凡是在 pending 里的，立刻放回去。
function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  while redis.call('LMOVE', 'pending', 'orders', 'RIGHT', 'RIGHT') do
  end
end
