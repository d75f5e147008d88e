-- en: One request at a time loads an item, whichever it is.
-- zh: 任何时候只有一个请求在装载，不论是哪件商品。
local db = connect('db')

local function load(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 60) end
  return rows[1] and rows[1].value
end

function get(id)
  local key, lock = 'item:' .. id, 'lock'
  local value = redis.call('GET', key)
  if value then return value end
  if not redis.call('SET', lock, 1, 'NX', 'PX', 3000) then
    sleep(20)
    return get(id)
  end
  value = redis.call('GET', key) or load(id)
  redis.call('DEL', lock)
  return value
end
