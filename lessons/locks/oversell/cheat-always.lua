-- en: Subtracts and always claims to have sold.
-- zh: 减一，然后总说卖出去了。
function sell()
  redis.call('DECR', 'stock')
  return true
end
