-- en: Reads the first job that is due, and removes it when it is done.
-- zh: 读出第一个到期的任务，执行完再删除。
function take()
  return redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
end

function done(job)
  redis.call('ZREM', 'jobs', job)
end

---- frame ----
-- en: A consumer sends each reminder that is due. When none is due it rests for a second; after the third rest it goes home.
-- zh: 消费者发送每一条到期的提醒；没有到期的就休息一秒，休息第三次之后下班。
local work_ms = 500
local rest_ms = 1000
local rests = 0
while rests < 3 do
  local job = take()
  if job then
    -- en: Seconds and microseconds, by the clock of the server.
    -- zh: 服务器的时钟，秒和微秒两部分。
    local time = redis.call('TIME')
    check(time[1] * 1000 + math.floor(time[2] / 1000) >= 1767268801000, job .. ' is due by the clock of the server')
    work(work_ms)
    tally('sent')
    processed(job)
    done(job)
  else
    rests = rests + 1
    sleep(rest_ms)
  end
end
