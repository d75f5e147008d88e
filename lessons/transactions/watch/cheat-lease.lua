-- en: A lock with a lease around reading and writing: a pause can outlast it.
-- zh: 读写之外套一把有租约的锁：停顿可能比租约更长。
function update(change)
  while not redis.call('SET', 'lock', 'held', 'NX', 'PX', 1000) do
    sleep(1000)
  end
  redis.call('SET', 'stock', change(tonumber(redis.call('GET', 'stock'))))
  redis.call('DEL', 'lock')
end
