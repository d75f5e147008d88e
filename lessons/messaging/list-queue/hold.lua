-- en: Moves an order to `pending` and takes it off there when it is packed; puts back what stays there for ten seconds.
-- zh: 把订单移到 pending，打包之后才从那里删除；在那里停留满十秒的，放回原列表。
local PUT_BACK = [[
  if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 1 then
    redis.call('RPUSH', KEYS[2], ARGV[1])
  end
]]
local seen = {}

function take()
  return redis.call('BLMOVE', 'orders', 'pending', 'RIGHT', 'LEFT', 5)
end

function done(order)
  redis.call('LREM', 'pending', 1, order)
end

function reap()
  local still = {}
  for _, order in ipairs(redis.call('LRANGE', 'pending', 0, -1)) do
    still[order] = seen[order] or now()
    if now() - still[order] >= 10000 then
      redis.call('EVAL', PUT_BACK, 2, 'pending', 'orders', order)
      still[order] = nil
    end
  end
  seen = still
end
