-- en: Gives the lease another ten seconds before it writes.
-- zh: 写之前把租约再续十秒。
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
redis.call('EXPIRE', 'lock', 10)
redis.call('SET', 'stock', stock - 1)
tally('sold')
leave('checkout')
redis.call('EVAL', RELEASE, 1, 'lock', token)
