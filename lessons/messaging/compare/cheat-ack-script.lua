-- en: A script acknowledges the entry, and adds the points only if it was still pending.
-- zh: 用一个脚本确认条目；条目原先还待确认，才加上积分。
local BOOK = [[
  if redis.call('XACK', KEYS[2], 'shop', ARGV[1]) == 1 then
    redis.call('INCRBY', KEYS[1], ARGV[2])
  end
]]

function book(order, points, id)
  redis.call('EVAL', BOOK, 2, 'points:stream', 'stream', id, points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end
