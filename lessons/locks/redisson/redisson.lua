-- en: A lock with a depth, a channel for those who wait, and a watchdog that renews the lease.
-- zh: 带深度的锁：等的人听频道，看门狗负责续租。
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

local function acquire()
  return redis.call('EVAL', ACQUIRE, 1, 'lock', me, lease)
end

local ttl = acquire()
if ttl then
  -- en: Not mine, and the answer says for how long: listen first, then ask again, lest a message be missed in between.
  -- zh: 没抢到，回答里说了还剩多久：先订阅，再问一次，免得中间漏掉通知。
  subscribe('lock:channel')
  ttl = acquire()
  while ttl do
    -- en: Until a message comes or the lease is over; in its last millisecond the key is there still.
    -- zh: 等到通知，或等到租约过完；在最后那一毫秒里键还在，所以多等一毫秒。
    wait_message(ttl + 1)
    ttl = acquire()
  end
end
enter('checkout')
-- en: Renews every ten seconds: as long as this client lives, its lease has twenty seconds left at least.
-- zh: 每十秒续一次：只要客户端活着，剩余租约就不会少于二十秒。
local dog = spawn(function()
  repeat
    sleep(lease / 3)
  until redis.call('EVAL', RENEW, 1, 'lock', me, lease) == 0
end)
work(25000)
cancel(dog)
leave('checkout')
redis.call('EVAL', RELEASE, 2, 'lock', 'lock:channel', me, lease)
