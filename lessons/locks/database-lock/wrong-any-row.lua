-- en: The row expires, and releasing deletes it, no matter whose it is.
-- zh: 行会过期；释放时不看所有者，直接删除。
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
  db.query("DELETE FROM method_lock WHERE method = 'transfer'")
end
