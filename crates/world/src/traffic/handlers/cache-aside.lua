-- What is not cached is read from the database, and cached for two hours.
local db = connect('db')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  value = rows[1].value
  redis.call('SET', 'item:' .. id, value, 'EX', 7200)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
