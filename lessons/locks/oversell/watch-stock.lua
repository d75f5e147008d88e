-- en: Writes only if the stock has not changed since it was read, and otherwise starts again.
-- zh: 读过之后库存没有变才写，变了就重来。
function sell()
  while true do
    redis.call('WATCH', 'stock')
    local stock = tonumber(redis.call('GET', 'stock'))
    if stock <= 0 then
      redis.call('UNWATCH')
      return false
    end
    redis.call('MULTI')
    redis.call('SET', 'stock', stock - 1)
    if redis.call('EXEC') then
      return true
    end
  end
end
