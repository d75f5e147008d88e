-- en: A lock without a lease around reading, working and removing.
-- zh: 读取、执行、删除都放在一把没有租约的锁里。
function take()
  if not redis.call('SET', 'lock', 'held', 'NX') then
    return nil
  end
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if not job then
    redis.call('DEL', 'lock')
  end
  return job
end

function done(job)
  redis.call('ZREM', 'jobs', job)
  redis.call('DEL', 'lock')
end
