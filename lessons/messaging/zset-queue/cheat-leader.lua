-- en: The consumer that comes first does everything, the others nothing.
-- zh: 先来的消费者包办一切，其他的什么也不做。
local leads = redis.call('SETNX', 'leader', 'me') == 1

function take()
  if not leads then
    return nil
  end
  return redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
end

function done(job)
  redis.call('ZREM', 'jobs', job)
end
