-- en: Reads the row inside of a transaction.
-- zh: 在事务里读那一行。
local db = connect('db')

function acquire()
  db.query('BEGIN')
  db.query("SELECT name FROM lock_name WHERE name = 'transfer'")
end

function release()
  db.query('COMMIT')
end
