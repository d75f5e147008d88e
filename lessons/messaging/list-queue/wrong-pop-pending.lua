-- en: When an order is packed, pops the oldest one from `pending`.
-- zh: 打包之后，从 pending 里弹出最早的那个。
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
  redis.call('RPOP', 'pending')
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
