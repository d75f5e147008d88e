local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do sleep(11000) end
enter()
work(5000)
leave()
if redis.call('GET', 'lock') == token then
  redis.call('DEL', 'lock')
end
