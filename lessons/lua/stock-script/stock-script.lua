-- en: Hands out n items if there are as many, and otherwise none: a script looks and takes in one step.
-- zh: 够就发放 n 件，不够就一件也不给：由一个脚本一步完成查看与发放。
local TAKE = [[
  local total = tonumber(redis.call('HGET', KEYS[1], 'total'))
  local released = tonumber(redis.call('HGET', KEYS[1], 'released'))
  local wanted = tonumber(ARGV[1])
  if wanted > 0 and released + wanted <= total then
    redis.call('HINCRBY', KEYS[1], 'released', wanted)
    return wanted
  end
  return 0
]]

function take(n)
  return redis.call('EVAL', TAKE, 1, 'item', n)
end

---- frame ----
-- en: A customer orders four items.
-- zh: 一位顾客要四件。
local wanted = 4
local got = take(wanted)
if got > 0 then
  tally('taken', got)
end
