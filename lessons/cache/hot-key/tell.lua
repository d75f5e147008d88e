-- en: A local cache for one second, as before, and a change is told to all machines by a message.
-- zh: 仍是本地缓存一秒，但改价时发消息通知所有机器。
local db = connect('db')
local cache = memory('items', { most = 1000 })

function start() subscribe('changes') end
function message(channel, id) cache:delete(id) end

function get(id)
  local value = cache:get(id)
  if value then return value end
  value = redis.call('GET', 'item:' .. id)
  if not value then
    local rows = db.query('SELECT value FROM item WHERE id = ?', id)
    if not rows[1] then return nil end
    value = rows[1].value
    redis.call('SET', 'item:' .. id, value, 'EX', 3600)
  end
  cache:set(id, value, 1000)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
  redis.call('PUBLISH', 'changes', id)
end
