-- en: A script marks the entry and adds the points in one step, if the entry was not marked before.
-- zh: 用一个脚本标记条目、加上积分，一步完成；条目已有标记就什么也不做。
local BOOK = [[
  if redis.call('SADD', KEYS[2], ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[1], ARGV[2])
  end
]]

function book(order, points, id)
  redis.call('EVAL', BOOK, 2, 'points:stream', 'booked', id, points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
