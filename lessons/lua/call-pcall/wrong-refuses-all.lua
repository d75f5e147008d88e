-- en: Compares a table with a string.
-- zh: 拿表与字符串比较。
if redis.call('TYPE', KEYS[2]) ~= 'string' then
  return 'refused'
end
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.call('INCRBY', KEYS[2], ARGV[1])
return 'paid'
