-- en: Counts in Redis how often each item is read from the database, and then keeps the price.
-- zh: 在 Redis 里统计每件商品从数据库读了多少次，然后保留副本。
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
  redis.call('INCR', 'loads:' .. id)
  redis.call('EXPIRE', 'loads:' .. id, 60)
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
  cache:set(id, value, 10000)
  loading:delete(id)
  return value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
  redis.call('PUBLISH', 'changes', id)
end
