-- en: Looks a second time before it writes, and starts again if the stock has changed.
-- zh: 写之前再看一眼，库存变了就重来。
function sell()
  while true do
    local stock = tonumber(redis.call('GET', 'stock'))
    if stock <= 0 then
      return false
    end
    if tonumber(redis.call('GET', 'stock')) == stock then
      redis.call('SET', 'stock', stock - 1)
      return true
    end
  end
end
