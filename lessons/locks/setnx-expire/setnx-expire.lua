-- en: Takes the lock, then gives it a lease of ten seconds.
-- zh: 先加锁，再设十秒的租约。
function acquire()
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(5000)
  end
  -- en: From here on the lock has a lease; before, it has none.
  -- zh: 从这里起锁才有租约，在此之前没有。
  redis.call('EXPIRE', 'lock', 10)
end

function release()
  redis.call('DEL', 'lock')
end

---- frame ----
-- en: A server sells one item while it holds the lock.
-- zh: 服务器持锁卖出一件商品。
local work_ms = 0
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
