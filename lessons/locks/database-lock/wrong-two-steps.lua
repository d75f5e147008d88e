-- en: Inserts the row, then writes into it until when it counts.
-- zh: 先插入行，再写上有效期。
local db = connect('db')
local me = uuid()

function acquire()
  while true do
    db.query("DELETE FROM method_lock WHERE method = 'transfer' AND expires_at < NOW(3)")
    if not db.pquery("INSERT INTO method_lock (method, owner) VALUES ('transfer', ?)", me).err then
      db.query("UPDATE method_lock SET expires_at = NOW(3) + INTERVAL 6 SECOND WHERE owner = ?", me)
      return
    end
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
