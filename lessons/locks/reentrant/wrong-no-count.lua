-- en: Lets the owner in again, but does not count how often.
-- zh: 放持锁者再次进入，却不数进了几层。
local ACQUIRE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return 1
  end
  return redis.call('SETNX', KEYS[1], ARGV[1])
]]
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local me = uuid() .. ':1'

local function lock()
  for _ = 1, 3 do
    if redis.call('EVAL', ACQUIRE, 1, 'lock', me) == 1 then
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
