-- en: A lock without a lease around looking and counting.
-- zh: 看与计数之外套一把没有租约的锁。
function buy()
  while not redis.call('SET', 'lock', 'held', 'NX') do
    redis.call('BLPOP', 'free', 0)
  end
  local is_left = tonumber(redis.call('GET', 'sold')) < 20
  if is_left then
    redis.call('INCR', 'sold')
  end
  redis.call('DEL', 'lock')
  redis.call('RPUSH', 'free', 'free')
  return is_left and 'won' or 'sold-out'
end
