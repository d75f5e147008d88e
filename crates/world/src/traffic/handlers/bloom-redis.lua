-- A Bloom filter in Redis knows which ids may exist. The first machine fills it, and the others wait until it is full.
local db = connect('db')
local BITS, HASHES = 100000, 7
local SET = "for _, place in ipairs(ARGV) do redis.call('SETBIT', KEYS[1], place, 1) end"
local HAS = "for _, place in ipairs(ARGV) do if redis.call('GETBIT', KEYS[1], place) == 0 then return 0 end end return 1"

local function places(id)
  local list = {}
  for seed = 1, HASHES do list[seed] = hash(id, seed) % BITS end
  return list
end

function start()
  if not redis.call('SET', 'filter:owner', 1, 'NX') then
    while not redis.call('GET', 'filter:full') do sleep(20) end
    return
  end
  local list = {}
  for _, row in ipairs(db.query('SELECT id FROM item')) do
    for _, place in ipairs(places(row.id)) do list[#list + 1] = place end
    if #list >= 5000 then
      redis.call('EVAL', SET, 1, 'filter', unpack(list))
      list = {}
    end
  end
  redis.call('EVAL', SET, 1, 'filter', unpack(list))
  redis.call('SET', 'filter:full', 1)
end

function get(id)
  if redis.call('EVAL', HAS, 1, 'filter', unpack(places(id))) == 0 then return nil end
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
