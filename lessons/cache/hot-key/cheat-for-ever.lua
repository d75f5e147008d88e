-- en: Everything stays everywhere forever.
-- zh: 到处都保留，永不过期。
local db = connect('db')
local cache = memory('items')

function get(id)
  local value = cache:get(id)
  if value then return value end
  value = redis.call('GET', 'item:' .. id)
  if not value then
    value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
    redis.call('SET', 'item:' .. id, value, 'EX', 3600)
  end
  cache:set(id, value)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
