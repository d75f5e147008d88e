-- en: A lock without a lease cannot end early.
-- zh: 锁没有租约，就不会提前释放。
function acquire()
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(1000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
