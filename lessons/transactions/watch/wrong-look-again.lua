-- en: Reads the stock again before it writes, to see whether it is the same.
-- zh: 写入之前再读一次库存，看有没有变。
function update(change)
  local stock, left
  repeat
    stock = tonumber(redis.call('GET', 'stock'))
    left = change(stock)
  until tonumber(redis.call('GET', 'stock')) == stock
  redis.call('MULTI')
  redis.call('SET', 'stock', left)
  redis.call('EXEC')
end
