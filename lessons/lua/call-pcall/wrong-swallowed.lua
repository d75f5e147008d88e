-- en: Catches the error and forgets it.
-- zh: 捕获了错误，然后忘掉。
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.pcall('INCRBY', KEYS[2], ARGV[1])
return 'paid'
