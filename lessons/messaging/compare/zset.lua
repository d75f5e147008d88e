-- en: Takes orders from the sorted set, the smallest score first. When none comes for a minute, it goes home.
-- zh: 从有序集合里取订单，分数最小的先取；一分钟没有订单就下班。
while true do
  local got = redis.call('BZPOPMIN', 'zset', 60)
  if not got then
    return
  end
  work(1000)
  redis.call('INCRBY', 'points:zset', 10)
  processed('zset:' .. got[2])
end
