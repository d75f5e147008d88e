-- en: No gap is left, but the price is a number.
-- zh: 元素不缺了，可价格还是转成了数。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
return {tonumber(v[1]), tonumber(v[2]) or 0, tonumber(v[3])}
