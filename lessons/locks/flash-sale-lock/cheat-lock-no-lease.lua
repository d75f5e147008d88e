-- en: Waits for a lock that has no lease, so that a pause does no harm.
-- zh: 等一把没有租约的锁，停顿就无妨。
function buy(wanted)
  while not redis.call('SET', 'lock', 'held', 'NX') do
    redis.call('BLPOP', 'free', 0)
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  local is_enough = stock >= wanted
  if is_enough then
    redis.call('SET', 'stock', stock - wanted)
  end
  redis.call('DEL', 'lock')
  redis.call('RPUSH', 'free', 'free')
  return is_enough
end
