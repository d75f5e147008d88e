-- en: A transaction locks a row that is always there; committing releases it.
-- zh: 事务锁住一直存在的那一行，提交时释放。
local db = connect('db')

function acquire()
  repeat
    db.query('BEGIN')
    local rows = db.pquery("SELECT name FROM lock_name WHERE name = 'transfer' FOR UPDATE")
  until not rows.err
end

function release()
  db.query('COMMIT')
end
