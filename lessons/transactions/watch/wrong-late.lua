-- en: Reads first, and then begins to watch.
-- zh: 先读，然后才开始监视。
function update(change)
  repeat
    local stock = tonumber(redis.call('GET', 'stock'))
    local left = change(stock)
    redis.call('WATCH', 'stock')
    redis.call('MULTI')
    redis.call('SET', 'stock', left)
  until redis.call('EXEC')
end
