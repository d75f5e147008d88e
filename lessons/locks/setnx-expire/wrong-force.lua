-- en: After a minute of waiting, takes the lock by force.
-- zh: 等了一分钟就强行加锁。
function acquire()
  for _ = 1, 12 do
    if redis.call('SETNX', 'lock', 'held') == 1 then
      return
    end
    sleep(5000)
  end
  redis.call('SET', 'lock', 'held', 'EX', 10)
end

function release()
  redis.call('DEL', 'lock')
end
