-- en: Two statements of each machine at the database, and at most four requests that wait for half a second.
-- zh: 每台机器同时最多两条语句；最多四个请求排队，最多等半秒。
local db = connect('db')
local gate = memory('gate')

local function enter(name, most)
  if gate:incr(name) <= most then return true end
  gate:incr(name, -1)
  return false
end

local function query(...)
  if not enter('waiting', 6) then error('the queue is full') end
  local tries = 0
  while not enter('running', 2) do
    tries = tries + 1
    if tries > 5 then
      gate:incr('waiting', -1)
      error('the database is busy')
    end
    sleep(100)
  end
  local rows = db.pquery(...)
  gate:incr('running', -1)
  gate:incr('waiting', -1)
  if rows.err then error(rows.err) end
  return rows
end

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 7200) end
  return rows[1] and rows[1].value
end
