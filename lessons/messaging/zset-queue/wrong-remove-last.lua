-- en: Removes the job when it is done, and only then looks at the answer of ZREM.
-- zh: 执行完才删除任务，这时才看 ZREM 的返回值。
function take()
  return redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
end

function done(job)
  if redis.call('ZREM', 'jobs', job) == 0 then
    note('another consumer was quicker')
  end
end
