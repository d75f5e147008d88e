-- en: Waits for a random time, so that consumers do not meet.
-- zh: 随机等一段时间，好让消费者错开。
function take()
  sleep(random(1, 100000))
  return redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
end

function done(job)
  redis.call('ZREM', 'jobs', job)
end
