-- en: A server sells one item; asking the bank takes longer than the lease lasts.
-- zh: 服务器卖出一件；等银行扣款的时间比租约还长。
while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
  -- en: The lease lasts ten seconds: come back when it is over.
  -- zh: 租约是十秒：到期以后再来。
  sleep(11000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  work(15000)
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('DEL', 'lock')
