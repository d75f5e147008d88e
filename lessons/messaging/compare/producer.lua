-- en: The shop sends each order all four ways. Orders that are together in `day` come at the same moment, the next ones five seconds later.
-- zh: 商店把每个订单同时告诉四种方式。day 里写在一起的订单同一时刻到来，下一批在五秒之后。
for _, burst in ipairs(redis.call('LRANGE', 'day', 0, -1)) do
  for order in burst:gmatch('%d+') do
    redis.call('RPUSH', 'list', order)
    produced('list:' .. order, 'list')
    redis.call('PUBLISH', 'channel', order)
    produced('channel:' .. order, 'channel')
    -- en: The score is the time in milliseconds.
    -- zh: 分数是毫秒时间。
    redis.call('ZADD', 'zset', now(), order)
    produced('zset:' .. order, 'zset')
    redis.call('XADD', 'stream', '*', 'order', order, 'points', 10)
    produced('stream:' .. order, 'stream')
  end
  sleep(5000)
end
