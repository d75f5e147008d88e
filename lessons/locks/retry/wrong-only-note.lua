-- en: Waits for the note of the release, and does not ask in between.
-- zh: 只等释放时的字条，期间不再询问。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
    redis.call('DEL', KEYS[2])
    redis.call('RPUSH', KEYS[2], 'free')
  end
]]
local token

function acquire(lease_ms)
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    redis.call('BLPOP', 'free', 0)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 2, 'lock', 'free', token)
end
