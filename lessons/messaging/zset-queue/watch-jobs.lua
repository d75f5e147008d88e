-- en: Watches the queue: the job is removed, and taken, only if no one has changed the queue since it was read.
-- zh: 监视整个队列：读过之后没有人改过队列，才删除任务，才算领到。
function take()
  redis.call('WATCH', 'jobs')
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if not job then
    redis.call('UNWATCH')
    return nil
  end
  redis.call('MULTI')
  redis.call('ZREM', 'jobs', job)
  if redis.call('EXEC') then
    return job
  end
end

function done(job)
end
