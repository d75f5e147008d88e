-- en: A buyer wants one to nine items, asks for the lock once, and leaves when somebody else has it.
-- zh: 一位买家想买一到九件；只要一次锁，锁在别人手里就走人。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local token = uuid()
local wanted = random(1, 9)
if not redis.call('SET', 'lock', token, 'NX', 'EX', 10) then
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
