-- en: The catalogue is loaded once, and then cache-aside.
-- zh: 商品目录一次性预热，之后按旁路缓存读写。
local db = connect('db')
local TTL = 7200

local function store(id, value)
  redis.call('SET', 'item:' .. id, value, 'EX', TTL)
end

function start()
  if not redis.call('SET', 'loaded', 1, 'NX') then return end
  for _, row in ipairs(db.query('SELECT id, value FROM item')) do
    store(row.id, row.value)
  end
end

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  store(id, rows[1].value)
  return rows[1].value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
