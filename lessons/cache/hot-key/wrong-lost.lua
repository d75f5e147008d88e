-- en: Relies on messages: copies have no TTL, and nothing is done after a lost connection.
-- zh: 完全依赖消息：副本不过期，连接断开之后也不做任何处理。
local db = connect('db')
local cache, loading = memory('items'), memory('loading')

function start() subscribe('changes') end
function message(channel, id) cache:delete(id) end

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
  if not loading:add(id, 1, 1000) then
    loading:wait(id, 1000)
    return get(id)
  end
  value = fetch(id)
  cache:set(id, value)
  loading:delete(id)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
  redis.call('PUBLISH', 'changes', id)
end
