-- en: Takes over a row that has expired, and inserts one if there is none.
-- zh: 过期的行直接接管，没有行才插入。
local db = connect('db')
local me = uuid()

local TAKE_OVER = "UPDATE method_lock SET owner = ?, expires_at = NOW(3) + INTERVAL 6 SECOND " ..
  "WHERE method = 'transfer' AND expires_at < NOW(3)"
local INSERT = "INSERT IGNORE INTO method_lock (method, owner, expires_at) VALUES ('transfer', ?, NOW(3) + INTERVAL 6 SECOND)"

function acquire()
  while db.query(TAKE_OVER, me).affected == 0 and db.query(INSERT, me).affected == 0 do
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
