-- en: Keeps one item back, to be on the safe side.
-- zh: 为保险起见，总留一件不卖。
local TAKE = [[
  local total = tonumber(redis.call('HGET', KEYS[1], 'total'))
  local released = tonumber(redis.call('HGET', KEYS[1], 'released'))
  local wanted = tonumber(ARGV[1])
  if wanted > 0 and released + wanted < total then
    redis.call('HINCRBY', KEYS[1], 'released', wanted)
    return wanted
  end
  return 0
]]

function take(n)
  return redis.call('EVAL', TAKE, 1, 'item', n)
end
