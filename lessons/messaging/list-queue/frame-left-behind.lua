-- en: `salt` is in `pending` from the start: the consumer that took it has crashed before the others came.
-- zh: 从一开始 pending 里就有 salt：取走它的消费者在其他人到来之前已经宕机。
produced('salt')
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
