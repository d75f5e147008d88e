-- en: The row says how long it is valid, and who owns it. By the clock of the database.
-- zh: 行里记着有效期和所有者，时间以数据库的时钟为准。
local db = connect('db')
local me = uuid()

function acquire()
  while true do
    db.query("DELETE FROM method_lock WHERE method = 'transfer' AND expires_at < NOW(3)")
    local done = db.pquery("INSERT INTO method_lock (method, owner, expires_at) VALUES ('transfer', ?, NOW(3) + INTERVAL 6 SECOND)", me)
    if not done.err then
      return
    end
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
