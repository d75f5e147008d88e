-- en: An item stays on a machine for 30 seconds; a change deletes it in Redis.
-- zh: 商品在本机保留 30 秒；改价时删除 Redis 里的。
local db = connect('db')
local cache = memory('items')

function get(id)
  local value = cache:get(id)
  if value then return value end
  value = redis.call('GET', 'item:' .. id)
  if not value then
    value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
    redis.call('SET', 'item:' .. id, value, 'PX', 500)
  end
  cache:set(id, value, 30000)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
