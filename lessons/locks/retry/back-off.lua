-- en: Keeps asking; each pause is random, and can be twice as long as the one before, up to half a minute.
-- zh: 一直要下去；每次停顿的时长随机，上限逐次加倍，最多半分钟。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
  end
]]
local token

function acquire(lease_ms)
  token = uuid()
  local pause_ms = 500
  while not redis.call('SET', 'lock', token, 'NX', 'PX', lease_ms) do
    sleep(random(1, pause_ms))
    pause_ms = math.min(pause_ms * 2, 30000)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
