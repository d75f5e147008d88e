-- en: Waits for a message only, forever if need be.
-- zh: 只等消息，一直等下去。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return nil
  end
  return redis.call('PTTL', KEYS[1])
]]
local RELEASE = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 0
  end
  redis.call('DEL', KEYS[1])
  redis.call('PUBLISH', KEYS[2], 'free')
  return 1
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
      wait_message()
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
  if redis.pcall('EVAL', RELEASE, 2, 'lock', 'lock:channel', me, lease) ~= 0 then
    cancel(dog)
    dog = nil
  end
end
