-- en: The script of the shop: three fields of an item, each as a number.
-- zh: 商城的脚本：取一件商品的三个字段，都转成数。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
return {tonumber(v[1]), tonumber(v[2]), tonumber(v[3])}
