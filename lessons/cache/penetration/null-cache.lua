-- en: An id that exists nowhere is cached as well, as an empty text and for 30 seconds.
-- zh: 不存在的 id 也缓存：存一个空串，30 秒后过期。
local db = connect('db')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value == '' then return nil end
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then
    redis.call('SET', key, '', 'EX', 30)
    return nil
  end
  redis.call('SET', key, rows[1].value, 'EX', 3600)
  return rows[1].value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
