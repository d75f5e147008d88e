-- en: A random time for what a miss loads, and two hours for the rest.
-- zh: 未命中时装载的商品用随机时间，其余仍是两小时。
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value, 'EX', 7200)
end]]

function start()
  redis.call('EVAL', STORE, 0, cjson.encode(db.query('SELECT id, value FROM item')))
end

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 7200 + random(0, 600))
  return rows[1].value
end
