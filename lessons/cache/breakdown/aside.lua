-- en: Plain cache-aside: what is not cached is read from the database, and cached for a minute.
-- zh: 普通的旁路缓存：缓存里没有的，从数据库读取，缓存一分钟。
local db = connect('db')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', key, rows[1].value, 'EX', 60) end
  return rows[1] and rows[1].value
end
