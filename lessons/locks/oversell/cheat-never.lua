-- en: Sells nothing, so nothing is lost.
-- zh: 什么都不卖，也就什么都不会丢。
function sell()
  redis.call('GET', 'stock')
  return false
end
