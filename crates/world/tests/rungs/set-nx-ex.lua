local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do sleep(11000) end
enter()
work(15000)
leave()
redis.call('DEL', 'lock')
