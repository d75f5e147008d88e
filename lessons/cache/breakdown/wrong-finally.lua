-- en: The lock is taken away even if the load fails.
-- zh: 即使装载失败，锁也会被删除。
local db = connect('db')

local function load(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 60) end
  return rows[1] and rows[1].value
end

function get(id)
  local key, lock = 'item:' .. id, 'lock:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  if not redis.call('SET', lock, 1, 'NX') then
    sleep(20)
    return get(id)
  end
  local is_loaded, result = pcall(function() return redis.call('GET', key) or load(id) end)
  redis.call('DEL', lock)
  if not is_loaded then error(result) end
  return result
end
