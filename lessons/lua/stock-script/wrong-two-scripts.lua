-- en: One script looks, another one takes.
-- zh: 一个脚本看，另一个脚本拿。
local LOOK = [[
  local total = tonumber(redis.call('HGET', KEYS[1], 'total'))
  local released = tonumber(redis.call('HGET', KEYS[1], 'released'))
  return total - released
]]
local TAKE = [[
  return redis.call('HINCRBY', KEYS[1], 'released', ARGV[1])
]]

function take(n)
  if n > 0 and redis.call('EVAL', LOOK, 1, 'item') >= n then
    redis.call('EVAL', TAKE, 1, 'item', n)
    return n
  end
  return 0
end
