-- en: Waits on a list, into which the release puts a note; asks every twenty seconds in case the note never comes.
-- zh: 在列表上等待，释放时会往里放一张字条；万一字条没来，每二十秒也会问一次。
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
    redis.call('BLPOP', 'free', 20)
  end
  return true
end

function release()
  redis.call('EVAL', RELEASE, 2, 'lock', 'free', token)
end
