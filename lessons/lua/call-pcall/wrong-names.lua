-- en: Goes by the names of the accounts.
-- zh: 只看账户的名字。
if KEYS[2] ~= 'bob' then
  return 'refused'
end
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.call('INCRBY', KEYS[2], ARGV[1])
return 'paid'
