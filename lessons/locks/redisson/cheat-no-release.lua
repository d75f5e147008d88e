-- en: Never releases: stops the watchdog and leaves the lock to its lease.
-- zh: 从不释放：停掉看门狗，让锁自己到期。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return nil
  end
  return redis.call('PTTL', KEYS[1])
]]
local RENEW = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 1
  end
  return 0
]]

local me = uuid() .. ':1'
local lease = 30000
local dog

local function try()
  return redis.call('EVAL', ACQUIRE, 1, 'lock', me, lease)
end

function acquire()
  local ttl = try()
  if ttl then
    subscribe('lock:channel')
    ttl = try()
    while ttl do
      wait_message(ttl + 1)
      ttl = try()
    end
  end
  if not dog then
    dog = spawn(function()
      repeat
        sleep(lease / 3)
      until redis.call('EVAL', RENEW, 1, 'lock', me, lease) == 0
    end)
  end
end

function release()
  if dog then
    cancel(dog)
    dog = nil
  end
end
