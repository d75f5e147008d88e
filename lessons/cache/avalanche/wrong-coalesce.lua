-- en: On each machine one request loads an item, and the others that want it wait for that one.
-- zh: 每台机器上，同一件商品只由一个请求装载，其余的等它。
local db = connect('db')
local loading = memory('loading')

function get(id)
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  if not loading:add(key, 1, 3000) then
    loading:wait(key, 3000)
    return get(id)
  end
  local rows = db.pquery('SELECT value FROM item WHERE id = ?', id)
  if rows[1] then redis.call('SET', key, rows[1].value, 'EX', 7200) end
  loading:delete(key)
  if rows.err then error(rows.err) end
  return rows[1] and rows[1].value
end
