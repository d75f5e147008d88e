-- en: Ten copies of each item in Redis, of which each request reads a random one.
-- zh: 每件商品在 Redis 里存十份，每个请求随机读一份。
local db = connect('db')

function get(id)
  local key = 'item:' .. id .. ':' .. random(0, 9)
  local value = redis.call('GET', key)
  if value then return value end
  value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
  redis.call('SET', key, value, 'PX', 900)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
