-- en: Plain cache-aside: what is not cached is read from the database.
-- zh: 普通的旁路缓存：缓存里没有的，从数据库读取。
local db = connect('db')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 7200) end
  return rows[1] and rows[1].value
end
