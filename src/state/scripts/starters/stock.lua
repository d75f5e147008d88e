-- en: KEYS[1] is a hash with total and released, ARGV[1] how many are wanted
-- zh: KEYS[1] 是哈希，有 total（总量）和 released（已放出）两个字段；ARGV[1] 是想要的数量
local stock = redis.call("HMGET", KEYS[1], "total", "released")
local total = tonumber(stock[1] or 0)
local released = tonumber(stock[2] or 0)
local wanted = tonumber(ARGV[1])

if released + wanted > total then
  return 0
end
redis.call("HINCRBY", KEYS[1], "released", wanted)
return wanted
