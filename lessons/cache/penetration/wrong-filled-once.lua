-- en: Each machine keeps a Bloom filter of the ids that there were when it started.
-- zh: 每台机器有一个布隆过滤器，装着启动时已有的 id。
local db = connect('db')
local filter = memory('filter')

local function add_places(list, id)
  for seed = 1, 4 do list[#list + 1] = hash(id, seed) % 5000 end
  return list
end

function start()
  local list = {}
  for _, row in ipairs(db.query('SELECT id FROM item')) do add_places(list, row.id) end
  filter:setbits(list)
end

function get(id)
  if not filter:hasbits(add_places({}, id)) then return nil end
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end
