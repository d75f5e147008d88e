-- en: Does not expect that a wait for a lock may fail.
-- zh: 没有想到等锁也会失败。
local db = connect('db')

function acquire()
  db.query('BEGIN')
  db.query("SELECT name FROM lock_name WHERE name = 'transfer' FOR UPDATE")
end

function release()
  db.query('COMMIT')
end
