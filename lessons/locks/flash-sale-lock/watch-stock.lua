-- en: Watches the stock, looks at it, and takes from it in a transaction; begins again if it has changed.
-- zh: 监视库存，看过之后用事务扣减；库存变过就重来。
function buy(wanted)
  repeat
    redis.call('WATCH', 'stock')
    local stock = tonumber(redis.call('GET', 'stock'))
    if stock < wanted then
      redis.call('UNWATCH')
      return false
    end
    redis.call('MULTI')
    redis.call('SET', 'stock', stock - wanted)
  until redis.call('EXEC')
  return true
end
