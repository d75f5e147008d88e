-- en: Sells one item under a lock whose release compares and deletes in one script.
-- zh: 在锁的保护下卖出一件；释放锁时，比较与删除在一个脚本里完成。
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
redis.call('SET', 'stock', stock - 1)
tally('sold')
leave('checkout')
redis.call('EVAL', RELEASE, 1, 'lock', token)
