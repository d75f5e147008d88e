-- en: A lock without a lease cannot change hands.
-- zh: 没有租约的锁不会易主。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX') do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('DEL', 'lock')
  end
end
