-- en: The price is whole, but a missing discount is nil.
-- zh: 价格完整了，可缺少的折扣是 nil。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
return {v[1], tonumber(v[2]), tonumber(v[3])}
