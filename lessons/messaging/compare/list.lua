-- en: Takes orders off the list. When none comes for a minute, it goes home.
-- zh: 从列表里取订单；一分钟没有订单就下班。
while true do
  local got = redis.call('BLPOP', 'list', 60)
  if not got then
    return
  end
  work(1000)
  redis.call('INCRBY', 'points:list', 10)
  processed('list:' .. got[2])
end
