-- en: Pops the first job, and drops it if its time has not come.
-- zh: 弹出第一个任务；时间没到，就扔掉。
function take()
  local job, due_ms = unpack(redis.call('ZPOPMIN', 'jobs'))
  if job and tonumber(due_ms) <= now() then
    return job
  end
end

function done(job)
end
