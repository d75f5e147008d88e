-- en: A mark for each job that is being run, removed when it is done.
-- zh: 给正在执行的任务做个标记，执行完再去掉。
function take()
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job and redis.call('SETNX', 'taken:' .. job, 'x') == 1 then
    return job
  end
end

function done(job)
  redis.call('ZREM', 'jobs', job)
  redis.call('DEL', 'taken:' .. job)
end
