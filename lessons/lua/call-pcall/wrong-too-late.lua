-- en: Notices the error when the money has been taken.
-- zh: 发现错误时，钱已经扣了。
redis.call('DECRBY', KEYS[1], ARGV[1])
local reply = redis.pcall('INCRBY', KEYS[2], ARGV[1])
if type(reply) == 'table' then
  return 'refused'
end
return 'paid'
