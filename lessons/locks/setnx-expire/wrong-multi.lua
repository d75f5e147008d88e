-- en: Puts both commands into a transaction, so that they are executed together.
-- zh: 把两条命令放进一个事务，让它们一起执行。
function acquire()
  while true do
    redis.call('MULTI')
    redis.call('SETNX', 'lock', 'held')
    redis.call('EXPIRE', 'lock', 10)
    if redis.call('EXEC')[1] == 1 then
      return
    end
    sleep(5000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
