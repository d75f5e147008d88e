-- en: The script compares, but takes any number for an order.
-- zh: 脚本做了比较，却把任何数都当成订单。
local TAKE = [[
  local total = tonumber(redis.call('HGET', KEYS[1], 'total'))
  local released = tonumber(redis.call('HGET', KEYS[1], 'released'))
  local wanted = tonumber(ARGV[1])
  if released + wanted <= total then
    redis.call('HINCRBY', KEYS[1], 'released', wanted)
    return wanted
  end
  return 0
]]

function take(n)
  return redis.call('EVAL', TAKE, 1, 'item', n)
end
