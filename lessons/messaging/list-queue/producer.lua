-- en: The till takes two orders and puts them on the list. A minute later it checks whether anything is left to do.
-- zh: 收银台接下两个订单，放进列表；一分钟后，看看还有没有未完成的订单。
for _, order in ipairs({ 'tea', 'rice' }) do
  redis.call('LPUSH', 'orders', order)
  produced(order)
end
sleep(60000)
check(redis.call('EXISTS', 'orders', 'pending') == 0, 'both lists are empty')
