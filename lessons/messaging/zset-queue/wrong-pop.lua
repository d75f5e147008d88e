-- en: Pops the first job: what is popped, no other consumer gets.
-- zh: 弹出第一个任务：弹出的东西，别的消费者拿不到。
function take()
  return redis.call('ZPOPMIN', 'jobs')[1]
end

function done(job)
end
