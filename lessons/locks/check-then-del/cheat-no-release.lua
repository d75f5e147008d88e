-- en: Never releases: the lease will end some time.
-- zh: 从不释放：反正租约总会到期。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  redis.call('GET', 'lock')
end
