-- en: A request that finds no copy fails, while the item is fetched in the background.
-- zh: 本机没有副本时，请求直接失败，商品在后台去取。
local db = connect('db')
local cache = memory('items')

local function fetch(id)
  local value = redis.call('GET', 'item:' .. id)
  if not value then
    value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
    redis.call('SET', 'item:' .. id, value, 'PX', 500)
  end
  cache:set(id, value, 400)
end

function get(id)
  local value = cache:get(id)
  if value then return value end
  spawn(function() fetch(id) end)
  error('not here')
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
