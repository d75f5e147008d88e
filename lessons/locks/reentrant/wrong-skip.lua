-- en: Counts up for the owner, and never down: the lock is deleted when the count says 1.
-- zh: 持锁者进来就加一，出去却不减：计数为 1 时才删锁。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  end
  return 0
]]
local RELEASE = [[
  if redis.call('HGET', KEYS[1], ARGV[1]) == '1' then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local me = uuid() .. ':1'

local function lock()
  for _ = 1, 3 do
    if redis.call('EVAL', ACQUIRE, 1, 'lock', me) > 0 then
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
