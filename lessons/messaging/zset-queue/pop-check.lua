-- en: Pops the first job, and puts it back if its time has not come.
-- zh: 弹出第一个任务；时间没到，就放回去。
function take()
  local job, due_ms = unpack(redis.call('ZPOPMIN', 'jobs'))
  if job and tonumber(due_ms) > now() then
    redis.call('ZADD', 'jobs', 'NX', due_ms, job)
    return nil
  end
  return job
end

function done(job)
end
