-- en: The database is never asked.
-- zh: 从不查数据库。
function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if not value then error('not cached') end
  return value
end
