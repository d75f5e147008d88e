-- en: A script that takes first and puts back what was too much, all before the next command.
-- zh: 脚本先拿，拿多了就放回去；全在下一条命令之前完成。
local TAKE = [[
  local released = redis.call('HINCRBY', KEYS[1], 'released', ARGV[1])
  if released > tonumber(redis.call('HGET', KEYS[1], 'total')) then
    redis.call('HINCRBY', KEYS[1], 'released', -ARGV[1])
    return 0
  end
  return tonumber(ARGV[1])
]]

function take(n)
  if n <= 0 then
    return 0
  end
  return redis.call('EVAL', TAKE, 1, 'item', n)
end
