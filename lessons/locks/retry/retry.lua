-- en: Asks for the lock once a second, for three seconds; works for two when it has got it.
-- zh: 每秒要一次锁，一共要三秒；拿到以后干两秒的活。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local token = uuid()
local deadline = now() + 3000
local mine = redis.call('SET', 'lock', token, 'NX', 'PX', 10000)
while not mine do
  sleep(1000)
  if now() >= deadline then
    break
  end
  mine = redis.call('SET', 'lock', token, 'NX', 'PX', 10000)
end
if mine then
  enter('checkout')
  work(2000)
  leave('checkout')
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
