-- en: What is not in Redis is read from the database, and cached for an hour.
-- zh: Redis 里没有的，从数据库读取，再缓存一小时。
local db = connect('db')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
