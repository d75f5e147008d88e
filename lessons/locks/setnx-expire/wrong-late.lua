-- en: Gives the lock its lease when the work is done, so that it does not end before.
-- zh: 业务结束才设租约，免得租约提前到期。
function acquire()
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(5000)
  end
end

function release()
  redis.call('EXPIRE', 'lock', 10)
  redis.call('DEL', 'lock')
end
