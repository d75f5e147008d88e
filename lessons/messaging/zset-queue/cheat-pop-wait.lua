-- en: Pops the first job, and keeps it in hand until its time has come.
-- zh: 弹出第一个任务，攥在手里等到时间。
function take()
  local job, due_ms = unpack(redis.call('ZPOPMIN', 'jobs'))
  if job then
    sleep(math.max(0, tonumber(due_ms) - now()))
  end
  return job
end

function done(job)
end
