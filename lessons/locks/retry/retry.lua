-- en: Asks for the lock once a second, for three seconds.
-- zh: 每秒要一次锁，一共要三秒。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  local deadline_ms = now() + 3000
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(1000)
    if now() >= deadline_ms then
      return false
    end
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end

---- frame ----
-- en: A client works for two seconds if it gets the lock.
-- zh: 客户端拿到锁以后工作两秒。
local lease_ms = 10000
local work_ms = 2000
if acquire(lease_ms) then
  enter('checkout')
  work(work_ms)
  leave('checkout')
  release()
end
