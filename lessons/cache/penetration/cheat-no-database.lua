-- en: What is not in Redis does not exist.
-- zh: Redis 里没有的就不存在。
function get(id) return redis.call('GET', 'item:' .. id) end
