-- Loads all items when the machine starts, and caches every item for two hours.
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value, 'EX', row.ttl)
end]]

local function store(rows)
  for _, row in ipairs(rows) do row.ttl = 7200 end
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

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
