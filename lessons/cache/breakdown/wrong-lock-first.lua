-- en: Every request takes the lock before it looks.
-- zh: 每个请求都先加锁，再读缓存。
local db = connect('db')

local function load(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 60) end
  return rows[1] and rows[1].value
end

function get(id)
  local key, lock = 'item:' .. id, 'lock:' .. id
  if not redis.call('SET', lock, 1, 'NX', 'PX', 3000) then
    sleep(20)
    return get(id)
  end
  local value = redis.call('GET', key) or load(id)
  redis.call('DEL', lock)
  return value
end
