-- en: Counts the attempts: the first five may buy, whatever the stock is.
-- zh: 只数来了几次：前五次都能买，不管库存是多少。
function sell()
  if redis.call('INCR', 'attempts') <= 5 then
    redis.call('DECR', 'stock')
    return true
  end
  return false
end
