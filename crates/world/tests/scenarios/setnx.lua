-- Takes a lock without a lease.
while redis.call('SETNX', 'lock', '1') == 0 do sleep(100) end
enter()
work(50)
leave()
redis.call('DEL', 'lock')
