-- en: One request asks the database; the others get an error.
-- zh: 由一个请求查询数据库，其余的一律报错。
local db = connect('db')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  if not redis.call('SET', 'lock:' .. id, 1, 'NX', 'PX', 30000) then error('come again') end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  redis.call('SET', key, rows[1].value, 'EX', 60)
  return rows[1].value
end
