-- en: Puts a copy back at the other end at once, in case something happens.
-- zh: 弹出后立刻在另一端放回一份，以防万一。
local had = {}

function take()
  local order = redis.call('BLMOVE', 'orders', 'orders', 'RIGHT', 'LEFT', 5)
  if order and had[order] then
    redis.call('LREM', 'orders', 1, order)
    return nil
  end
  return order
end

function done(order)
  had[order] = true
end

function reap()
end
