-- en: Takes the lock together with its lease, and deletes it at the end.
-- zh: 加锁的同时设好租约，最后删除锁。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
    -- en: The lease lasts ten seconds: come back when it is over.
    -- zh: 租约是十秒：到期以后再来。
    sleep(11000)
  end
end

function release()
  redis.call('DEL', 'lock')
end

---- frame ----
-- en: A server sells one item; asking the bank takes longer than the lease lasts.
-- zh: 服务器卖出一件商品；等银行扣款的时间比租约还长。
local work_ms = 15000
acquire()
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  work(work_ms)
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
release()
