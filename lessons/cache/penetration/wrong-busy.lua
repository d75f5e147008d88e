-- en: Each machine sends at most five statements a second. Further requests fail at once.
-- zh: 每台机器每秒最多向数据库发五条语句，多出的请求立即失败。
local db = connect('db')
local gate = memory('gate')

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  if not gate:add('query', 1, 200) then error('busy') end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end
