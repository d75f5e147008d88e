-- en: The count and the mark of how far it was copied are changed in one transaction of the database.
-- zh: 次数和“已复制到哪里”的标记，在数据库的同一个事务里修改。
local db = connect('db')

function copy()
  local total = tonumber(redis.call('GET', 'views:1') or 0)
  db.query('BEGIN')
  local upto = db.query('SELECT upto FROM copied WHERE page = 1 FOR UPDATE')[1].upto
  if total > upto then
    db.query('UPDATE page SET views = views + ? WHERE id = 1', total - upto)
    db.query('UPDATE copied SET upto = ? WHERE page = 1', total)
  end
  db.query('COMMIT')
end
