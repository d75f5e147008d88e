-- en: Sells nothing: it is always sold out.
-- zh: 什么也不卖：总说已售罄。
function buy()
  redis.call('GET', 'sold')
  return 'sold-out'
end
