-- en: Looks whether the lock is still its own, and writes then.
-- zh: 先看锁是不是还归自己，再写。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
work(9000)
if redis.call('GET', 'lock') == token then
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('EVAL', RELEASE, 1, 'lock', token)
