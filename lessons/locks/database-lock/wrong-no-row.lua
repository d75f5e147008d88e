-- en: Locks a row that does not exist.
-- zh: 锁一行并不存在的数据。
local db = connect('db')

function acquire()
  repeat
    db.query('BEGIN')
    local rows = db.pquery("SELECT method FROM method_lock WHERE method = 'transfer' FOR UPDATE")
  until not rows.err
end

function release()
  db.query('COMMIT')
end
