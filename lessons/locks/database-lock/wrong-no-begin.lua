-- en: Locks the row without a transaction.
-- zh: 不开事务就去锁行。
local db = connect('db')

function acquire()
  while db.pquery("SELECT name FROM lock_name WHERE name = 'transfer' FOR UPDATE").err do
    sleep(1000)
  end
end

function release()
  db.query('COMMIT')
end
