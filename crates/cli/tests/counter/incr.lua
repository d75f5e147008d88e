-- en: One command.
-- zh: 一条命令。
function count()
  redis.call('INCR', 'n')
end
