-- en: No one crashes. Tea has to be wrapped and takes nine seconds; the other consumer is idle by then and looks twice.
-- zh: 无人宕机。茶要包装，打包要九秒；这时另一个消费者闲着，会来看两次。
repeat
  local order = take()
  if order then
    work(order == 'tea' and 9000 or 100)
    processed(order)
    done(order)
  else
    reap()
    sleep(3800)
    reap()
  end
until not order and redis.call('EXISTS', 'orders', 'pending') == 0
