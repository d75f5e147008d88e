-- en: One statement inserts the row or takes it over; the owner in it says who has won.
-- zh: 一条语句完成插入或接管，行里的所有者说明谁抢到了锁。
local db = connect('db')
local me = uuid()

local TAKE = "INSERT INTO method_lock (method, owner, expires_at) VALUES ('transfer', ?, NOW(3) + INTERVAL 6 SECOND) " ..
  "ON DUPLICATE KEY UPDATE owner = IF(expires_at < NOW(3), VALUES(owner), owner), " ..
  "expires_at = IF(owner = VALUES(owner), VALUES(expires_at), expires_at)"

function acquire()
  while true do
    db.query(TAKE, me)
    local row = db.query("SELECT owner FROM method_lock WHERE method = 'transfer'")[1]
    if row and row.owner == me then
      return
    end
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
