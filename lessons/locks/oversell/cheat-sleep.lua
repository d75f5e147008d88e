-- en: Waits for a random time, so that no two come at once.
-- zh: 随机等一会儿，让大家错开。
function sell()
  sleep(random(1, 100000))
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock > 0 then
    redis.call('SET', 'stock', stock - 1)
    return true
  end
  return false
end
