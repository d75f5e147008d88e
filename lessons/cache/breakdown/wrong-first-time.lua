-- en: Nothing expires in Redis. What is older than a minute is loaded again in the background, what is missing at once.
-- zh: Redis 中不设过期。超过一分钟的在后台重新装载，没有的立即装载。
local db = connect('db')

local function load(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  local item = { value = rows[1].value, fresh_until = now() + 60000 }
  redis.call('SET', 'item:' .. id, cjson.encode(item))
  return item.value
end

local function try_lock(id)
  return redis.call('SET', 'lock:' .. id, 1, 'NX', 'PX', 3000)
end

function get(id)
  local text = redis.call('GET', 'item:' .. id)
  if text then
    local item = cjson.decode(text)
    if now() >= item.fresh_until and try_lock(id) then
      spawn(function() load(id) end)
    end
    return item.value
  end
  return load(id)
end
