-- en: Marks each name once and for all.
-- zh: 每个名字只认领一次，永久有效。
function take()
  for _, job in ipairs(redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE')) do
    if redis.call('SETNX', 'taken:' .. job, 'x') == 1 then
      return job
    end
  end
end

function done(job)
  redis.call('ZREM', 'jobs', job)
end
