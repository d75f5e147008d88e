-- en: Puts both writes between BEGIN and COMMIT.
-- zh: 把两次写入都放在 BEGIN 和 COMMIT 之间。
local db = connect('db')

function copy()
  db.query('BEGIN')
  local fresh = tonumber(redis.call('GET', 'views:1') or 0)
  if fresh > 0 then
    db.query('UPDATE page SET views = views + ? WHERE id = 1', fresh)
    redis.call('DECRBY', 'views:1', fresh)
  end
  db.query('COMMIT')
end
