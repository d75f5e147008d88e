-- en: Keeps asking, and deletes any lock at the end.
-- zh: 一直要下去，最后见锁就删。
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
  redis.call('DEL', 'lock')
end
