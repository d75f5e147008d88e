-- On each machine, one request loads an item, and the others that want it wait for that one.
local db = connect('db')
local loading = memory('loading')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  if not loading:add(key, 1, 3000) then
    loading:wait(key, 3000)
    return get(id)
  end
  -- Someone may have loaded it since this request looked.
  value = redis.call('GET', key)
  if not value then
    local rows = db.query('SELECT value FROM item WHERE id = ?', id)
    value = rows[1] and rows[1].value
    if value then redis.call('SET', key, value, 'EX', 3600) end
  end
  loading:delete(key)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
