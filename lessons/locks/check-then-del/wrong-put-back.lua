-- en: Takes the lock out with GETDEL, and puts it back if it is another client's.
-- zh: 用 GETDEL 先取出来，发现是别人的再放回去。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  local found = redis.call('GETDEL', 'lock')
  if found and found ~= token then
    redis.call('SET', 'lock', found, 'NX', 'EX', 10)
  end
end
