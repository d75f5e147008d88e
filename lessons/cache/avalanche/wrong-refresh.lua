-- en: Nothing expires in Redis: after two hours an item is loaded again in the background.
-- zh: Redis 中不设过期：两小时后在后台重新装载。
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value)
  redis.call('SET', 'fresh:' .. row.id, 1, 'EX', 7200)
end]]

local function store(rows)
  redis.call('EVAL', STORE, 0, cjson.encode(rows))
end

function start()
  store(db.query('SELECT id, value FROM item'))
end

function get(id)
  local item = redis.call('MGET', 'item:' .. id, 'fresh:' .. id)
  if item[1] and not item[2] and redis.call('SET', 'fresh:' .. id, 1, 'NX', 'EX', 60) then
    spawn(function() store(db.query('SELECT id, value FROM item WHERE id = ?', id)) end)
  end
  return item[1] or nil
end
