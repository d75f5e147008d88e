-- en: Of all requests that find nothing, one loads the whole catalogue again, and the others wait for it.
-- zh: 缓存未命中的请求中，由一个重新预热整个目录，其余的等它。
local db = connect('db')

local STORE = [[
for _, row in ipairs(cjson.decode(ARGV[1])) do
  redis.call('SET', 'item:' .. row.id, row.value, 'EX', 7200 + math.random(0, 600))
end]]

function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  if redis.call('SET', 'warming', 1, 'NX', 'PX', 3000) then
    redis.call('EVAL', STORE, 0, cjson.encode(db.query('SELECT id, value FROM item')))
    redis.call('DEL', 'warming')
  else
    sleep(50)
  end
  return get(id)
end
