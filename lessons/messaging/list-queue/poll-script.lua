-- en: A script moves an order and notes when it was taken; another one puts back what was taken more than ten seconds ago.
-- zh: 一个脚本移动订单并记下取走的时刻，另一个脚本把取走超过十秒的放回去。
local TAKE = [[
  local order = redis.call('LMOVE', KEYS[1], KEYS[2], 'RIGHT', 'LEFT')
  if order then
    redis.call('ZADD', KEYS[3], redis.call('TIME')[1], order)
  end
  return order
]]
local DONE = [[
  redis.call('ZREM', KEYS[2], ARGV[1])
  return redis.call('LREM', KEYS[1], 1, ARGV[1])
]]
local REAP = [[
  for _, order in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    local taken = redis.call('ZSCORE', KEYS[3], order)
    if not taken or redis.call('TIME')[1] - taken > 10 then
      redis.call('LREM', KEYS[2], 1, order)
      redis.call('ZREM', KEYS[3], order)
      redis.call('RPUSH', KEYS[1], order)
    end
  end
]]

function take()
  local order = redis.call('EVAL', TAKE, 3, 'orders', 'pending', 'taken')
  if not order then
    sleep(5000)
  end
  return order
end

function done(order)
  redis.call('EVAL', DONE, 2, 'pending', 'taken', order)
end

function reap()
  redis.call('EVAL', REAP, 3, 'orders', 'pending', 'taken')
end
