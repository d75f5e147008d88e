-- en: Says that an item does not exist when the database is busy.
-- zh: 数据库忙时就说商品不存在。
local db = connect('db')
local gate = memory('gate')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  if gate:incr('running') > 2 then
    gate:incr('running', -1)
    return nil
  end
  local rows = db.pquery('SELECT value FROM item WHERE id = ?', id)
  gate:incr('running', -1)
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 7200) end
  return rows[1] and rows[1].value
end
