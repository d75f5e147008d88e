-- en: A script asks for the time, reads and removes: nothing comes in between.
-- zh: 用一个脚本问时间、读取、删除，中间插不进别的命令。
local TAKE = [[
  local time = redis.call('TIME')
  local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  local job = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now_ms, 'LIMIT', 0, 1)[1]
  if job then
    redis.call('ZREM', KEYS[1], job)
  end
  return job
]]

function take()
  return redis.call('EVAL', TAKE, 1, 'jobs')
end

function done(job)
end
