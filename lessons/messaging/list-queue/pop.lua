-- en: Waits at the list, and takes what comes off it.
-- zh: 在列表上等待，来了订单就弹出。
function take()
  local got = redis.call('BRPOP', 'orders', 5)
  return got and got[2]
end

function done(order)
  -- en: Nothing to do: BRPOP has removed the order already.
  -- zh: 无事可做：BRPOP 早已把订单删除。
end

function reap()
  -- en: No one knows which orders a crashed consumer had in its hands.
  -- zh: 宕机的消费者手里有过哪些订单，没有人知道。
end

---- frame ----
-- en: A consumer packs orders. When none comes, it looks after those of the others. It goes home when both lists are empty.
-- zh: 消费者打包订单；等不到订单时，就去照看别人手里的。两个列表都空了，它就下班。
local work_ms = 1000
repeat
  local order = take()
  if order then
    work(work_ms)
    processed(order)
    done(order)
  else
    reap()
  end
until not order and redis.call('EXISTS', 'orders', 'pending') == 0
