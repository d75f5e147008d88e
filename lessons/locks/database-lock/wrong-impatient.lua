-- en: Takes the end of the wait for a lock for the lock.
-- zh: 把等锁超时当成拿到了锁。
local db = connect('db')

function acquire()
  db.query('BEGIN')
  db.pquery("SELECT name FROM lock_name WHERE name = 'transfer' FOR UPDATE")
end

function release()
  db.query('COMMIT')
end
