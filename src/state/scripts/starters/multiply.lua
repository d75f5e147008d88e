-- en: KEYS[1] is a counter, ARGV[1] the factor
-- zh: KEYS[1] 是计数器，ARGV[1] 是要乘的倍数
local value = redis.call("GET", KEYS[1])
if not value then
  return 0
end
value = tonumber(value) * tonumber(ARGV[1])
redis.call("SET", KEYS[1], value)
return value
