-- en: No lock; waits for a random time, so that buyers do not meet.
-- zh: 不加锁；随机等一段时间，好让买家错开。
function buy(wanted)
  sleep(random(1, 1000000))
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock < wanted then
    return false
  end
  redis.call('SET', 'stock', stock - wanted)
  return true
end
