-- en: Hands out what is left when there is less than was ordered.
-- zh: 不够时，剩多少就给多少。
local TAKE = [[
  local total = tonumber(redis.call('HGET', KEYS[1], 'total'))
  local released = tonumber(redis.call('HGET', KEYS[1], 'released'))
  local got = math.max(0, math.min(tonumber(ARGV[1]), total - released))
  redis.call('HINCRBY', KEYS[1], 'released', got)
  return got
]]

function take(n)
  return redis.call('EVAL', TAKE, 1, 'item', n)
end
