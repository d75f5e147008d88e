-- en: The same for 20 seconds.
-- zh: 同样的做法，缓存 20 秒。
local db = connect('db')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', key, rows[1].value, 'EX', 20) end
  return rows[1] and rows[1].value
end
