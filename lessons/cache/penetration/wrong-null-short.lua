-- en: An id that exists nowhere is cached as well, but only for three seconds.
-- zh: 不存在的 id 也缓存，但只缓存三秒。
local db = connect('db')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value == '' then return nil end
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then
    redis.call('SET', key, '', 'EX', 3)
    return nil
  end
  redis.call('SET', key, rows[1].value, 'EX', 3600)
  return rows[1].value
end
