-- en: A row that expires at once, so that none can stay.
-- zh: 行一插入就过期，想留也留不住。
local db = connect('db')
local me = uuid()

function acquire()
  while true do
    db.query("DELETE FROM method_lock WHERE method = 'transfer' AND expires_at <= NOW(3)")
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
