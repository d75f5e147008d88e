-- en: Sleeps for two hours after the first attempt; by then everyone is done.
-- zh: 第一次没拿到就睡两小时，到那时别人都做完了。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(7200000)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
