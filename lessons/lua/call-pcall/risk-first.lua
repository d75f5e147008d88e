-- en: The command that may fail comes first.
-- zh: 可能出错的命令先执行。
local reply = redis.pcall('INCRBY', KEYS[2], ARGV[1])
if type(reply) == 'table' then
  return 'refused'
end
redis.call('DECRBY', KEYS[1], ARGV[1])
return 'paid'
