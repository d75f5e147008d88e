-- Takes a lock, and gives it a lease by a second command.
while redis.call('SETNX', 'lock', '1') == 0 do sleep(100) end
redis.call('EXPIRE', 'lock', 10)
enter()
work(50)
leave()
redis.call('DEL', 'lock')
