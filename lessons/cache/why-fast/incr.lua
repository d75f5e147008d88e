-- en: Each request counts itself with INCR.
-- zh: 每个请求用 INCR 计一次数。
function get(id)
  redis.call('INCR', 'visits')
  return redis.call('GET', 'item:' .. id)
end
