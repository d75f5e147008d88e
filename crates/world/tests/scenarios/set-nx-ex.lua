-- Takes a lock with a lease that ends before the work does.
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do sleep(11000) end
enter()
work(15000)
leave()
redis.call('DEL', 'lock')
