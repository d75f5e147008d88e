-- en: Reads item:1, whatever KEYS[1] is.
-- zh: 不管 KEYS[1] 是什么，总是读 item:1。
local v = redis.call('HMGET', 'item:1', 'price', 'discount', 'stock')
return {v[1], tonumber(v[2]) or false, tonumber(v[3])}
