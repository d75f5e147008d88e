-- en: A lock without a lease around reading and writing.
-- zh: 读写之外套一把没有租约的锁。
function update(change)
  while not redis.call('SET', 'lock', 'held', 'NX') do
    redis.call('BLPOP', 'free', 0)
  end
  redis.call('SET', 'stock', change(tonumber(redis.call('GET', 'stock'))))
  redis.call('DEL', 'lock')
  redis.call('RPUSH', 'free', 'free')
end
