-- en: One consumer, looked at closely: what it takes, when, and how often.
-- zh: 只有一个消费者，逐步检查：领到什么，什么时候领到，领了几次。
local function check_next(expected, text)
  local before_ms = now()
  local job = take()
  check((job or 'nothing') == expected, text)
  check(now() == before_ms, 'take() answers at once')
  if job then
    work(500)
    done(job)
  end
end

-- en: Until the reminders of the producer are out of the way.
-- zh: 先等生产者的提醒都已放进来，再清空。
sleep(5000)
redis.call('DEL', 'jobs')
check_next('nothing', 'there is no job')

local start_ms = now()
-- en: `call:4` is set twice: only the second time counts.
-- zh: call:4 设置了两次，以第二次为准。
redis.call('ZADD', 'jobs', start_ms + 5000, 'call:4')
redis.call('ZADD', 'jobs', start_ms + 10000, 'call:4', start_ms + 20000, 'call:3')
check_next('nothing', 'no job is due yet')
sleep(9999)
check_next('nothing', 'a millisecond before its time, call:4 is not due')
check(redis.call('ZCARD', 'jobs') == 2, 'no job has been removed')
sleep(1)
check_next('call:4', 'call:4 is due')
check_next('nothing', 'call:4 runs once, and call:3 is not due')
-- en: The next day's reminder has the same name.
-- zh: 第二天的提醒还是这个名字。
redis.call('ZADD', 'jobs', start_ms + 15000, 'call:4')
sleep(9500)
check_next('call:4', 'set again after it was run, call:4 runs again')
check_next('call:3', 'call:3 is due')
check_next('nothing', 'no job is left')
check(redis.call('ZCARD', 'jobs') == 0, 'what was run is gone from the queue')
