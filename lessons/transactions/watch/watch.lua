-- en: Sells one item: reads and computes, and writes only if the stock has not changed since it began to watch.
-- zh: 卖出一件：先读、先算；从开始监视起库存没变过，才真正写入。
local sold = false
while not sold do
  redis.call('WATCH', 'stock')
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock <= 0 then
    redis.call('UNWATCH')
    break
  end
  redis.call('MULTI')
  redis.call('SET', 'stock', stock - 1)
  if redis.call('EXEC') then
    sold = true
    tally('sold')
  else
    -- en: Nil: somebody has written to the stock in between. Nothing was done; begin anew.
    -- zh: nil：中间有人改过库存。什么也没有执行，从头再来。
    tally('conflicts')
  end
end
