-- en: The same three methods with a lock that knows only "taken" and "free".
-- zh: 同样三个方法，用的锁却只认得“占用”和“空闲”。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local me = uuid() .. ':1'

local function lock()
  for _ = 1, 3 do
    if redis.call('SET', 'lock', me, 'NX') then
      return
    end
    sleep(2000)
  end
  error('timeout')
end

local function unlock()
  return redis.call('EVAL', RELEASE, 1, 'lock', me)
end

local function invoice()
  lock()
  work(1000)
  unlock()
end

local function ship()
  lock()
  invoice()
  work(1000)
  unlock()
end

lock()
enter('checkout')
ship()
leave('checkout')
unlock()
