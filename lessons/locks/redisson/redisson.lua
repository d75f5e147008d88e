-- en: A lock with a depth, a channel for those who wait, and a watchdog that renews the lease.
-- zh: 带深度的锁：等待者订阅频道，看门狗负责续租。
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
    -- en: Not mine, and the answer says for how long: listen first, then ask again, so that no message is missed in between.
    -- zh: 没抢到，回复里说了还剩多久：先订阅，再问一次，免得中间漏掉通知。
    subscribe('lock:channel')
    ttl = try()
    while ttl do
      -- en: Until a message comes or the lease is over; in its last millisecond the key is still there.
      -- zh: 等到通知，或等到租约过完；在最后那一毫秒里键还在，所以多等一毫秒。
      wait_message(ttl + 1)
      ttl = try()
    end
  end
  if not dog then
    -- en: Renews every ten seconds, until the lock is no longer its own.
    -- zh: 每十秒续一次租，直到锁不再属于自己。
    dog = spawn(function()
      repeat
        sleep(lease / 3)
      until redis.call('EVAL', RENEW, 1, 'lock', me, lease) == 0
    end)
  end
end

function release()
  -- en: 0 means that an outer level still holds the lock. After anything else, an error too, no one may renew it.
  -- zh: 0 表示外层还持有锁。除此以外，哪怕是出错，都不得再续租。
  if redis.pcall('EVAL', RELEASE, 2, 'lock', 'lock:channel', me, lease) ~= 0 then
    cancel(dog)
    dog = nil
  end
end

---- frame ----
-- en: Takes one item from the stock, and then works for thirty-five seconds.
-- zh: 从库存里取走一件商品，然后处理三十五秒。
local work_ms = 35000
acquire()
enter('checkout')
redis.call('DECR', 'stock')
work(work_ms)
leave('checkout')
release()
