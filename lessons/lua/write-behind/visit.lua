-- en: Each visit of the page is counted in Redis.
-- zh: 页面每被访问一次，就在 Redis 里计数一次。
for _ = 1, 2 do
  redis.call('INCR', 'views:1')
  tally('views')
end
redis.call('SET', 'closed', 1)
