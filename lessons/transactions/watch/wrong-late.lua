-- en: Begins to watch when it has read already.
-- zh: 读完了才开始监视。
local sold = false
while not sold do
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock <= 0 then
    break
  end
  redis.call('WATCH', 'stock')
  redis.call('MULTI')
  redis.call('SET', 'stock', stock - 1)
  if redis.call('EXEC') then
    sold = true
    tally('sold')
  end
end
