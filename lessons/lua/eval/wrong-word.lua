-- en: Turns everything into text, the value false too.
-- zh: 一律转成文本，连 false 也转。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
return {tostring(v[1]), v[2] or '', v[3]}
