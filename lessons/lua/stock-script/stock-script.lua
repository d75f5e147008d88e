-- en: Orders four items; a script hands them out if there are as many, and otherwise none.
-- zh: 要四件；够就由脚本发放，不够就一件也不给。
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

local got = redis.call('EVAL', TAKE, 1, 'item', 4)
if got > 0 then
  tally('taken', got)
end
