-- en: Counts by itself, and deletes any lock that it finds.
-- zh: 层数自己数，释放时见锁就删。
local me = uuid()
local depth = 0
local dog

function acquire()
  depth = depth + 1
  if depth > 1 then
    return
  end
  subscribe('lock:channel')
  while not redis.call('SET', 'lock', me, 'NX', 'PX', 30000) do
    wait_message(5000)
  end
  dog = spawn(function()
    repeat
      sleep(10000)
    until redis.call('GET', 'lock') ~= me or redis.call('PEXPIRE', 'lock', 30000) == 0
  end)
end

function release()
  depth = depth - 1
  if depth == 0 then
    cancel(dog)
    redis.call('DEL', 'lock')
    redis.call('PUBLISH', 'lock:channel', 'free')
  end
end
