-- en: Sells nothing: every buyer meets a conflict.
-- zh: 什么也不卖：每位买家都遇到冲突。
function buy()
  redis.call('GET', 'sold')
  return 'conflict'
end
