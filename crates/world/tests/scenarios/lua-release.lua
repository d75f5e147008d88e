-- Takes a lock with a lease, and has a script look and delete in one.
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do sleep(11000) end
enter()
work(15000)
leave()
redis.call('EVAL', [[if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0]], 1, 'lock', token)
