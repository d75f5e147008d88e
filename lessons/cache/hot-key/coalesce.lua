-- en: The same, and on each machine one request at a time fetches an item while the others wait for it.
-- zh: 同样的做法，而且每台机器上同时只有一个请求去取某件商品，其余的等它。
local db = connect('db')
local cache, loading = memory('items'), memory('loading')

local function fetch(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
  redis.call('SET', 'item:' .. id, value, 'PX', 500)
  return value
end

function get(id)
  local value = cache:get(id)
  if value then return value end
  if not loading:add(id, 1, 1000) then
    loading:wait(id, 1000)
    return get(id)
  end
  value = fetch(id)
  cache:set(id, value, 400)
  loading:delete(id)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
end
