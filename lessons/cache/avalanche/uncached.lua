-- en: Every request asks the database.
-- zh: 每个请求都查数据库。
local db = connect('db')

function get(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  return rows[1] and rows[1].value
end
