-- en: Asks less often, to spare the server.
-- zh: 问得少一些，给服务器减负。
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
  sleep(2500)
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
