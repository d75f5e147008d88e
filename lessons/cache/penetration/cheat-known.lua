-- en: There are 500 items, so a greater id does not exist.
-- zh: 商品一共 500 件，更大的 id 不存在。
local db = connect('db')

function get(id)
  if tonumber(id) > 500 then return nil end
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end
