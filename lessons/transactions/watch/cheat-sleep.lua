-- en: Waits for a random time, so that clients do not meet.
-- zh: 随机等一段时间，好让客户端错开。
function update(change)
  sleep(random(1, 1000000))
  redis.call('SET', 'stock', change(tonumber(redis.call('GET', 'stock'))))
end
