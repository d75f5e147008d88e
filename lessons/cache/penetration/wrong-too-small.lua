-- en: The Bloom filter has 500 bits: one for each item.
-- zh: 布隆过滤器只有 500 位，平均每件商品一位。
local db = connect('db')
local filter = memory('filter')

local function add_places(list, id)
  for seed = 1, 4 do list[#list + 1] = hash(id, seed) % 500 end
  return list
end

function start()
  local list = {}
  for _, row in ipairs(db.query('SELECT id FROM item')) do add_places(list, row.id) end
  filter:setbits(list)
end

function get(id)
  if filter:add('fresh', 1, 3000) then start() end
  if not filter:hasbits(add_places({}, id)) then return nil end
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end
