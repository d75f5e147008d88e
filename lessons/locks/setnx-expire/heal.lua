-- en: Two commands as before, but a client that waits gives a lease to a lock that has none.
-- zh: 仍是两条命令，但等待的客户端会给没有租约的锁补上租约。
function acquire()
  while redis.call('SETNX', 'lock', 'held') == 0 do
    if redis.call('TTL', 'lock') == -1 then
      redis.call('EXPIRE', 'lock', 10)
    end
    sleep(5000)
  end
  redis.call('EXPIRE', 'lock', 10)
end

function release()
  redis.call('DEL', 'lock')
end
