-- en: A client that waits deletes any row that is older than three seconds.
-- zh: 等待的客户端把超过三秒的行都删掉。
local db = connect('db')
local me = uuid()

function acquire()
  while true do
    db.query("DELETE FROM method_lock WHERE method = 'transfer' AND expires_at < NOW(3) - INTERVAL 3 SECOND")
    local done = db.pquery("INSERT INTO method_lock (method, owner, expires_at) VALUES ('transfer', ?, NOW(3))", me)
    if not done.err then
      return
    end
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
