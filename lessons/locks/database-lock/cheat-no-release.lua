-- en: Never deletes the row: it will expire.
-- zh: 从不删除那一行：反正会过期。
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
end
