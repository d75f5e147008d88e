-- en: Inserts a row with the name of the method; a unique index allows it only once.
-- zh: 插入一行方法名，唯一索引只允许它出现一次。
local db = connect('db')
local me = uuid()

function acquire()
  while db.pquery("INSERT INTO method_lock (method, owner) VALUES ('transfer', ?)", me).err do
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer'")
end

---- frame ----
-- en: A server moves money while it holds the lock.
-- zh: 服务器持锁转账。
local work_ms = 1000
acquire()
enter('transfer')
work(work_ms)
leave('transfer')
release()
