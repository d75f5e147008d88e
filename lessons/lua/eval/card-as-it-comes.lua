-- en: The values as they come: what is missing is false already.
-- zh: 值原样转交：缺的本来就是 false。
return redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
