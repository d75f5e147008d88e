-- en: All items are loaded at the start, and the database is never asked again.
-- zh: 启动时装载所有商品，之后再也不问数据库。
local db = connect('db')

function start()
  for _, row in ipairs(db.query('SELECT id, value FROM item')) do
    redis.call('SET', 'item:' .. row.id, row.value)
  end
end

function get(id) return redis.call('GET', 'item:' .. id) end
