-- en: Reads the first job that is due, and takes it only if its own ZREM has removed it.
-- zh: 读出第一个到期的任务；只有自己的 ZREM 真的删掉了它，才算领到。
function take()
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job and redis.call('ZREM', 'jobs', job) == 1 then
    return job
  end
end

function done(job)
end
