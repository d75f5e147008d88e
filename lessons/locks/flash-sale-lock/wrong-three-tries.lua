-- en: Asks for the lock three times before it leaves.
-- zh: 连要三次锁，要不到才走。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local token = uuid()
local wanted = random(1, 9)
local mine = false
for _ = 1, 3 do
  mine = mine or redis.call('SET', 'lock', token, 'NX', 'EX', 10)
end
if not mine then
  tally('turned-away')
  return
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock >= wanted then
  redis.call('SET', 'stock', stock - wanted)
  tally('sold', wanted)
  tally('orders')
end
leave('checkout')
redis.call('EVAL', RELEASE, 1, 'lock', token)
