-- en: A script that hands out four items, whatever was ordered.
-- zh: 不管要几件，脚本都只发四件。
local TAKE = [[
  local released = tonumber(redis.call('HGET', KEYS[1], 'released'))
  if tonumber(ARGV[1]) > 0 and released + 4 <= tonumber(redis.call('HGET', KEYS[1], 'total')) then
    redis.call('HINCRBY', KEYS[1], 'released', 4)
    return 4
  end
  return 0
]]

function take(n)
  return redis.call('EVAL', TAKE, 1, 'item', n)
end
