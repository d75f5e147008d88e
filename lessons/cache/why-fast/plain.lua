-- en: Items come from Redis, and nothing else happens.
-- zh: 商品来自 Redis，此外什么也不做。
function get(id)
  return redis.call('GET', 'item:' .. id)
end
