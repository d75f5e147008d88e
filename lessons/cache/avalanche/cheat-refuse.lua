-- en: What is not cached is refused.
-- zh: 没有缓存就拒绝。
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
  if not value then error('not cached') end
  return value
end
