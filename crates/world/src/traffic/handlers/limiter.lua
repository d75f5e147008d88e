-- Each machine has at most 4 statements at the database, and at most 8 requests that wait for their turn. Further ones fail at once.
local db = connect('db')
local gate = memory('gate')
local MOST, WAITING = 4, 8

local function count(what) return tonumber(gate:get(what) or 0) end

local function query(...)
  if count('running') >= MOST then
    if count('waiting') >= WAITING then error('the database is busy') end
    gate:incr('waiting')
    while count('running') >= MOST do gate:wait('running') end
    gate:incr('waiting', -1)
  end
  gate:incr('running')
  local result = db.pquery(...)
  gate:incr('running', -1)
  if result.err then error(result.err) end
  return result
end

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  local rows = query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', key, rows[1].value, 'EX', 3600)
  return rows[1].value
end

function put(id, value)
  query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
