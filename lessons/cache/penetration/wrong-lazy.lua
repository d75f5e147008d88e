-- en: The Bloom filter is filled by the first request that comes, and again after three seconds.
-- zh: 布隆过滤器由第一个到来的请求填写，此后每三秒填写一次。
local db = connect('db')
local filter = memory('filter')

local function add_places(list, id)
  for seed = 1, 4 do list[#list + 1] = hash(id, seed) % 5000 end
  return list
end

local function fill()
  local list = {}
  for _, row in ipairs(db.query('SELECT id FROM item')) do add_places(list, row.id) end
  filter:setbits(list)
end

function get(id)
  if filter:add('fresh', 1, 3000) then fill() end
  if not filter:hasbits(add_places({}, id)) then return nil end
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end
