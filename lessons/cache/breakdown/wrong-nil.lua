-- en: One request loads the item. The others answer that there is none.
-- zh: 由一个请求装载，其余的回答没有数据。
local db = connect('db')

function get(id)
  local key, lock = 'item:' .. id, 'lock:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  if not redis.call('SET', lock, 1, 'NX', 'PX', 3000) then return nil end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', key, rows[1].value, 'EX', 60) end
  redis.call('DEL', lock)
  return rows[1] and rows[1].value
end
