-- en: A request that finds no copy fails, while the item is fetched in the background.
-- zh: 本机没有副本时，请求直接失败，商品在后台去取。
local db = connect('db')
local cache, loading = memory('items'), memory('loading')

function start() subscribe('changes') end
function message(channel, id) cache:delete(id) end
function subscribed(channel) cache:clear() end

local function fetch(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  value = db.query('SELECT value FROM item WHERE id = ?', id)[1].value
  redis.call('SET', 'item:' .. id, value, 'EX', 3600)
  return value
end

function get(id)
  local value = cache:get(id)
  if value then return value end
  if loading:add(id, 1, 1000) then
    spawn(function()
      cache:set(id, fetch(id), 10000)
      loading:delete(id)
    end)
  end
  error('not here')
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
  redis.call('PUBLISH', 'changes', id)
end
