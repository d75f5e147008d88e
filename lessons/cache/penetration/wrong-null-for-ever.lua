-- en: An id that exists nowhere is cached as well, and does not expire.
-- zh: 不存在的 id 也缓存，而且不过期。
local db = connect('db')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value == '' then return nil end
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  redis.call('SET', key, rows[1] and rows[1].value or '')
  return rows[1] and rows[1].value
end
