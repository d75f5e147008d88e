-- en: Each server writes and compares the time of its own clock.
-- zh: 每台服务器都用自己的时钟来写入和比较时间。
local db = connect('db')
local me = uuid()

local function time(ms)
  return string.format('%d', ms)
end

function acquire()
  while true do
    db.query("DELETE FROM method_lock WHERE method = 'transfer' AND until_ms < ?", time(now()))
    local done = db.pquery("INSERT INTO method_lock (method, owner, until_ms) VALUES ('transfer', ?, ?)", me, time(now() + 6000))
    if not done.err then
      return
    end
    sleep(2000)
  end
end

function release()
  db.query("DELETE FROM method_lock WHERE method = 'transfer' AND owner = ?", me)
end
