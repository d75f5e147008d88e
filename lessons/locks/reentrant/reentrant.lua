-- en: A hash for a lock: its field says who holds it, its value how often.
-- zh: 用哈希作锁：字段记着谁持有，值记着进了几层。
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
local lease = 30000

function lock(id)
  while redis.call('EVAL', ACQUIRE, 1, 'lock', id, lease) == 0 do
    sleep(lease * 0.06)
  end
end

function unlock(id)
  return redis.call('EVAL', RELEASE, 1, 'lock', id, lease)
end

---- frame ----
-- en: Three methods, each of which takes the lock; the first one calls the second, the second one the third.
-- zh: 三个方法都要加锁；第一个调用第二个，第二个调用第三个。
local work_ms = 1000
-- en: The client and its thread: what may come in again.
-- zh: 客户端加线程号：再次进入的凭据。
local me = uuid() .. ':1'

local function invoice()
  lock(me)
  work(work_ms)
  check(unlock(me) == 2, 'depth = 2')
end

local function ship()
  lock(me)
  invoice()
  work(work_ms)
  check(unlock(me) == 1, 'depth = 1')
end

lock(me)
enter('checkout')
ship()
leave('checkout')
check(unlock(me) == 0, 'depth = 0')
