-- en: Three methods, each of which takes the lock; the first one calls the second, the second one the third.
-- zh: 三个方法都要加锁；第一个调用第二个，第二个调用第三个。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 1
  end
  return 0
]]
local RELEASE = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  local depth = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  if depth > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  else
    redis.call('DEL', KEYS[1])
  end
  return depth
]]

-- en: The client and its thread: what may come in again.
-- zh: 客户端加线程号：再次进入的凭据。
local me = uuid() .. ':1'

local function lock()
  for _ = 1, 3 do
    if redis.call('EVAL', ACQUIRE, 1, 'lock', me, 30000) == 1 then
      return
    end
    sleep(2000)
  end
  error('timeout')
end

local function unlock()
  return redis.call('EVAL', RELEASE, 1, 'lock', me, 30000)
end

local function invoice()
  lock()
  work(1000)
  check(unlock() == 2, 'depth = 2')
end

local function ship()
  lock()
  invoice()
  work(1000)
  check(unlock() == 1, 'depth = 1')
end

lock()
enter('checkout')
ship()
leave('checkout')
check(unlock() == 0, 'depth = 0')
