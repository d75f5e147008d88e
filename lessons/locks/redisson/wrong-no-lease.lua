-- en: Does without a lease, so that none can end.
-- zh: 干脆不设租约，也就没有到期一说。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    return nil
  end
  return redis.call('PTTL', KEYS[1])
]]
local RELEASE = [[
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
  end
  if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then
    return 0
  end
  redis.call('DEL', KEYS[1])
  redis.call('PUBLISH', KEYS[2], 'free')
  return 1
]]
local me = uuid() .. ':1'

local function try()
  return redis.call('EVAL', ACQUIRE, 1, 'lock', me)
end

function acquire()
  local ttl = try()
  if ttl then
    subscribe('lock:channel')
    ttl = try()
    while ttl do
      wait_message(5000)
      ttl = try()
    end
  end
end

function release()
  redis.call('EVAL', RELEASE, 2, 'lock', 'lock:channel', me)
end
