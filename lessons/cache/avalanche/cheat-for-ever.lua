-- en: Everything forever.
-- zh: 永不过期。
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value)
end]]

function start()
  redis.call('EVAL', STORE, 0, cjson.encode(db.query('SELECT id, value FROM item')))
end

function get(id)
  return redis.call('GET', 'item:' .. id) or nil
end
