-- en: A value carries the time until which it may be sold at, 0.9 s after it was read from the database. Redis and machines keep it until then.
-- zh: 价格带着有效期：从数据库读出后 0.9 秒。Redis 和各台机器都只保留到那一刻。
local db = connect('db')
local cache = memory('items')

function get(id)
  local value = cache:get(id)
  if value then return value end
  local text = redis.call('GET', 'item:' .. id)
  local item
  if text then
    item = cjson.decode(text)
  else
    item = { till = now() + 900 }
    item.value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
    redis.call('SET', 'item:' .. id, cjson.encode(item), 'PX', 900)
  end
  local left = item.till - now()
  if left > 0 then cache:set(id, item.value, left) end
  return item.value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
