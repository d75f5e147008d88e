-- en: Each machine has at most two statements at the database. Further requests fail at once.
-- zh: 每台机器同时最多向数据库发两条语句，多出的请求立即失败。
local db = connect('db')
local gate = memory('gate')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  if gate:incr('running') > 2 then
    gate:incr('running', -1)
    error('the database is busy')
  end
  local rows = db.pquery('SELECT value FROM item WHERE id = ?', id)
  gate:incr('running', -1)
  if rows.err then error(rows.err) end
  if rows[1] then redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 7200) end
  return rows[1] and rows[1].value
end
