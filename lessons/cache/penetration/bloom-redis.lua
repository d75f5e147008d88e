-- en: The Bloom filter is in Redis. One request in three seconds fills it again; while there is none, everything may exist.
-- zh: 布隆过滤器放在 Redis 里，每三秒由一个请求重新填写；过滤器不在时，一切都当作可能存在。
local db = connect('db')

local ADD = [[
for _, id in ipairs(cjson.decode(ARGV[1])) do
  for _, place in ipairs(id) do redis.call('SETBIT', 'filter', place, 1) end
end
redis.call('SETBIT', 'filter', 5000, 1)]]

local MAY_EXIST = [[
for _, place in ipairs(ARGV) do
  if redis.call('GETBIT', 'filter', place) == 0 then return redis.call('GETBIT', 'filter', 5000) == 0 end
end
return 1]]

local function places(id)
  local list = {}
  for seed = 1, 4 do list[seed] = hash(id, seed) % 5000 end
  return list
end

local function fill()
  local list = {}
  for _, row in ipairs(db.query('SELECT id FROM item')) do list[#list + 1] = places(row.id) end
  redis.call('EVAL', ADD, 0, cjson.encode(list))
end

function get(id)
  if redis.call('SET', 'filter:fresh', 1, 'NX', 'PX', 3000) then fill() end
  if not redis.call('EVAL', MAY_EXIST, 0, unpack(places(id))) then return nil end
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end
