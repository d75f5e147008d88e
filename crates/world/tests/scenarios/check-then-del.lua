-- Takes a lock with a lease, and looks whose it is before it deletes it.
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do sleep(11000) end
enter()
work(5000)
leave()
if redis.call('GET', 'lock') == token then
  redis.call('DEL', 'lock')
end
