-- en: Deletes the row first, in case a client has left it behind.
-- zh: 先把那一行删掉，以防有谁把它留下了。
local db = connect('db')

function acquire()
  db.query("DELETE FROM method_lock WHERE method = 'transfer'")
  while db.pquery("INSERT INTO method_lock (method) VALUES ('transfer')").err do
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer'")
end
