-- en: A lease of a millisecond, so that no lock can stay.
-- zh: 租约只有一毫秒，锁想留也留不住。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'PX', 1) do
    sleep(5000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
