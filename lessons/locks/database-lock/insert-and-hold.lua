-- en: Inserts the row and does not commit: others wait for the end of the transaction.
-- zh: 插入行但不提交，别人要等到事务结束。
local db = connect('db')

function acquire()
  repeat
    db.query('BEGIN')
    local done = db.pquery("INSERT INTO method_lock (method) VALUES ('transfer')")
  until not done.err
end

function release()
  db.query('ROLLBACK')
end
