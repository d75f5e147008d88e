-- en: A lock with a lease around reading and removing: a pause can outlast it.
-- zh: 读取与删除放在一把有租约的锁里：停顿可能比租约更长。
function take()
  if not redis.call('SET', 'lock', 'held', 'NX', 'PX', 500) then
    return nil
  end
  local job = redis.call('ZRANGE', 'jobs', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if job then
    redis.call('ZREM', 'jobs', job)
  end
  redis.call('DEL', 'lock')
  return job
end

function done(job)
end
