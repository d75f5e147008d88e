-- en: A script moves the job that is due 30 seconds into the future; when it is done it is removed.
-- zh: 用脚本把到期的任务推后 30 秒，执行完再删除。
local TAKE = [[
  local time = redis.call('TIME')
  local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  local job = redis.call('ZRANGE', KEYS[1], '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job then
    redis.call('ZADD', KEYS[1], 'XX', now_ms + 30000, job)
  end
  return job
]]

function take()
  return redis.call('EVAL', TAKE, 1, 'jobs')
end

function done(job)
  redis.call('ZREM', 'jobs', job)
end
