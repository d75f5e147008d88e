-- en: The script draws the extra time of each item.
-- zh: 由脚本为每件商品抽取随机的额外时间。
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value, 'EX', 7200 + math.random(0, 600))
end]]

local function store(rows)
  redis.call('EVAL', STORE, 0, cjson.encode(rows))
end

function start()
  store(db.query('SELECT id, value FROM item'))
end

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT id, value FROM item WHERE id = ?', id)
  store(rows)
  return rows[1] and rows[1].value
end
