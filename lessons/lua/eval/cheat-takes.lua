-- en: Returns the right card and takes the item away.
-- zh: 卡片没有错，商品却被删掉了。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
redis.call('DEL', KEYS[1])
return v
