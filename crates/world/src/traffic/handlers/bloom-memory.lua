-- A Bloom filter in each machine knows which ids may exist: 10 bits for each of 10,000 items.
local db = connect('db')
local filter = memory('filter')
local BITS, HASHES = 100000, 7

local function places(id)
  local list = {}
  for seed = 1, HASHES do list[seed] = hash(id, seed) % BITS end
  return list
end

function start()
  local list = {}
  for _, row in ipairs(db.query('SELECT id FROM item')) do
    for _, place in ipairs(places(row.id)) do list[#list + 1] = place end
    if #list >= 5000 then
      filter:setbits(list)
      list = {}
    end
  end
  filter:setbits(list)
end

function get(id)
  if not filter:hasbits(places(id)) then return nil end
  local key = 'item:' .. id
  local value = redis.call('GET', key)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', key, rows[1].value, 'EX', 3600)
  return rows[1].value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
