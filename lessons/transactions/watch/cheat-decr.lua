-- en: Computes for show, and decrements.
-- zh: 装样子算一下，其实自减。
function update(change)
  change(tonumber(redis.call('GET', 'stock')))
  redis.call('DECR', 'stock')
end
