-- en: Reads and removes in one transaction.
-- zh: 在一个事务里读取并删除。
function take()
  redis.call('MULTI')
  redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE')
  redis.call('ZREMRANGEBYSCORE', 'jobs', '-inf', now())
  return redis.call('EXEC')[1][1]
end

function done(job)
end
