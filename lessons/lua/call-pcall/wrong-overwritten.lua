-- en: SET never fails, and writes over anything.
-- zh: SET 从不出错，什么都覆盖。
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], (tonumber(redis.pcall('GET', KEYS[2])) or 0) + ARGV[1])
return 'paid'
