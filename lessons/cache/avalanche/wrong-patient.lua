-- en: Each machine has at most two statements at the database. Further requests wait for as long as it takes.
-- zh: 每台机器同时最多向数据库发两条语句，多出的请求一直等到轮到为止。
local db = connect('db')
local gate = memory('gate')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  while gate:incr('running') > 2 do
    gate:incr('running', -1)
    sleep(100)
  end
  local rows = db.pquery('SELECT value FROM item WHERE id = ?', id)
  gate:incr('running', -1)
  if rows.err then error(rows.err) end
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 7200) end
  return rows[1] and rows[1].value
end
