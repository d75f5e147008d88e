-- en: Each machine reads from the database itself, once in 0.9 s.
-- zh: 每台机器各自从数据库读取，每 0.9 秒一次。
local db = connect('db')
local cache = memory('items')

function get(id)
  local value = cache:get(id)
  if value then return value end
  value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
  cache:set(id, value, 900)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
