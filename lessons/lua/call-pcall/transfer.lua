-- en: Checks the second account before the first command that writes.
-- zh: 在第一条写命令之前，先检查第二个账户。
if not tonumber(redis.pcall('GET', KEYS[2])) then
  return 'refused'
end
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.call('INCRBY', KEYS[2], ARGV[1])
return 'paid'
