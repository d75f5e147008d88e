-- Nothing expires in Redis. An item that is older than a minute is still answered, while one request loads it again in the background.
local db = connect('db')

local function load(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  local item = { value = rows[1].value, fresh_until = now() + 60000 }
  redis.call('SET', 'item:' .. id, cjson.encode(item))
  return item.value
end

function get(id)
  local text = redis.call('GET', 'item:' .. id)
  if not text then return load(id) end
  local item = cjson.decode(text)
  if now() >= item.fresh_until and redis.call('SET', 'lock:' .. id, 1, 'NX', 'PX', 3000) then
    spawn(function() load(id) end)
  end
  return item.value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
