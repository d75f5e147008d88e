-- en: Gives up after twenty attempts.
-- zh: 试二十次就放弃。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  for _ = 1, 20 do
    if redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) then
      return true
    end
    sleep(10000)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
