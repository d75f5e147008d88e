-- Of all requests that find nothing, one loads the item. The others wait and read again.
local db = connect('db')
local RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"

local function load(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end

function get(id)
  local key, lock = 'item:' .. id, 'lock:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  local token = uuid()
  while not redis.call('SET', lock, token, 'NX', 'PX', 3000) do
    sleep(10)
    value = redis.call('GET', key)
    if value then return value end
  end
  -- Someone may have loaded it since this request looked.
  value = redis.call('GET', key) or load(id)
  redis.call('EVAL', RELEASE, 1, lock, token)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
