-- en: A lock without a lease, which no pause can outlast.
-- zh: 锁不设租约，停顿再久也不会到期。
function take(n)
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(1000)
  end
  local got = 0
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  local released = tonumber(redis.call('HGET', 'item', 'released'))
  if n > 0 and released + n <= total then
    redis.call('HINCRBY', 'item', 'released', n)
    got = n
  end
  redis.call('DEL', 'lock')
  return got
end
