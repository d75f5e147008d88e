-- en: A table with names instead of places.
-- zh: 表里是名字，不是位置。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
return {price = v[1], discount = v[2], stock = v[3]}
