-- en: On each machine one request loads the item, and the others wait for it.
-- zh: 每台机器上由一个请求装载，其余的等它。
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
  value = redis.call('GET', key)
  if not value then
    local rows = db.pquery('SELECT value FROM item WHERE id = ?', id)
    value = rows[1] and rows[1].value
    if value then redis.call('SET', key, value, 'EX', 60) end
  end
  loading:delete(key)
  return value
end
