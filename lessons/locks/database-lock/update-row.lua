-- en: A transaction locks the row by changing it.
-- zh: 事务修改那一行，从而锁住它。
local db = connect('db')
local me = uuid()

function acquire()
  db.query('BEGIN')
  while db.pquery("UPDATE lock_name SET owner = ? WHERE name = 'transfer'", me).err do
    db.query('ROLLBACK')
    db.query('BEGIN')
  end
end

function release()
  db.query('ROLLBACK')
end
