-- en: A lock with a lease around looking and counting: a pause can outlast it.
-- zh: 看与计数之外套一把有租约的锁：停顿可能比租约更长。
function buy()
  while not redis.call('SET', 'lock', 'held', 'NX', 'PX', 1000) do
    sleep(1000)
  end
  local is_left = tonumber(redis.call('GET', 'sold')) < 20
  if is_left then
    redis.call('INCR', 'sold')
  end
  redis.call('DEL', 'lock')
  return is_left and 'won' or 'sold-out'
end
