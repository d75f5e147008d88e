-- en: An item stays on a machine for 0.4 s, and in Redis for 0.5 s: together less than a second.
-- zh: 商品在本机保留 0.4 秒，在 Redis 里保留 0.5 秒，加起来不到一秒。
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
  cache:set(id, value, 400)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
