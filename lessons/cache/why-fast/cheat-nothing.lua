-- en: Nothing is deleted.
-- zh: 什么也不删除。
function get(id)
  return redis.call('GET', 'item:' .. id)
end
