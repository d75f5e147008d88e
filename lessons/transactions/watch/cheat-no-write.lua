-- en: Calls the function with nothing left, so that nothing is sold.
-- zh: 用 0 调用函数，于是什么也没卖。
function update(change)
  redis.call('GET', 'stock')
  change(0)
end
