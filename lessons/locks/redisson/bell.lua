-- en: A token in a string, the depth in the process, a watchdog, and a list as a bell: one push wakes one client.
-- zh: 字符串里存令牌，进程里记层数，加上看门狗；用列表当铃铛：推入一个元素，唤醒一个客户端。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return nil
  end
  redis.call('DEL', KEYS[1])
  redis.call('DEL', KEYS[2])
  redis.call('RPUSH', KEYS[2], 'free')
  redis.call('PEXPIRE', KEYS[2], 60000)
  return 1
]]
local RENEW = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return 0
]]

local me = uuid()
local depth = 0
local dog

function acquire()
  depth = depth + 1
  if depth > 1 then
    return
  end
  while not redis.call('SET', 'lock', me, 'NX', 'PX', 20000) do
    redis.call('BLPOP', 'bell', 20)
  end
  dog = spawn(function()
    while redis.call('EVAL', RENEW, 1, 'lock', me, 20000) == 1 do
      sleep(5000)
    end
  end)
end

function release()
  depth = depth - 1
  if depth == 0 then
    cancel(dog)
    redis.call('EVAL', RELEASE, 2, 'lock', 'bell', me)
  end
end
