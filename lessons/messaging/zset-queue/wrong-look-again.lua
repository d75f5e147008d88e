-- en: Looks once more whether the job is still there, then removes it.
-- zh: 再看一眼任务还在不在，然后删除。
function take()
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job and redis.call('ZSCORE', 'jobs', job) then
    redis.call('ZREM', 'jobs', job)
    return job
  end
end

function done(job)
end
