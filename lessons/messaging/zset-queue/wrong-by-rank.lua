-- en: Reads the first job that is due, and takes it if it has removed the first member.
-- zh: 读出第一个到期的任务；删掉了排在第一的成员，就算领到。
function take()
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job and redis.call('ZREMRANGEBYRANK', 'jobs', 0, 0) == 1 then
    return job
  end
end

function done(job)
end
