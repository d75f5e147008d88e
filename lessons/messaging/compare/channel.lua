-- en: Listens to the channel. When no order comes for a minute, it goes home.
-- zh: 收听频道；一分钟没有订单就下班。
subscribe('channel')
while true do
  local _, order = wait_message(60000)
  if not order then
    return
  end
  work(1000)
  redis.call('INCRBY', 'points:channel', 10)
  processed('channel:' .. order)
end
