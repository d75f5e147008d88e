-- en: A card without gaps: the price stays a string, and what is missing becomes false.
-- zh: 一个也不缺的卡片：价格一直是字符串，缺的换成 false。
local v = redis.call('HMGET', KEYS[1], 'price', 'discount', 'stock')
return {v[1], tonumber(v[2]) or false, tonumber(v[3])}
