-- en: Writes the result only as the owner of the lock, and gives the lock back: both in one script.
-- zh: 只有仍持有锁时才写结果，并同时归还锁：两件事在一个脚本里完成。
local FINISH = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[2], ARGV[2])
  redis.call('DEL', KEYS[1])
  return 1
]]

local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
work(9000)
if redis.call('EVAL', FINISH, 2, 'lock', 'stock', token, stock - 1) == 1 then
  tally('sold')
end
leave('checkout')
