-- en: A random time, drawn once for each load.
-- zh: 随机时间，但每次装载只抽取一次。
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value, 'EX', row.ttl)
end]]

local function store(rows)
  local ttl = 7200 + random(0, 600)
  for _, row in ipairs(rows) do row.ttl = ttl end
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
