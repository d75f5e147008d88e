-- en: Each request counts itself: read, add one, write.
-- zh: 每个请求计一次数：读出，加一，写回。
function get(id)
  local visits = redis.call('GET', 'visits') or 0
  redis.call('SET', 'visits', visits + 1)
  return redis.call('GET', 'item:' .. id)
end
