-- Once a second, one request deletes all keys with a prefix and searches for them with KEYS. 50,000 other keys are there from the start.
local db = connect('db')
local jobs = memory('jobs')

function start()
  for from = 1, 50000, 1000 do
    local pairs = {}
    for n = from, from + 999 do
      pairs[#pairs + 1] = 'session:' .. n
      pairs[#pairs + 1] = 1
    end
    redis.call('MSET', unpack(pairs))
  end
end

local function clean()
  local keys = redis.call('KEYS', 'sale:*')
  for i = 1, #keys, 1000 do
    redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
  end
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  if not rows[1] then return nil end
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', 3600)
  return rows[1].value
end

function put(id, value)
  db.query('UPDATE item SET value = ? WHERE id = ?', value, id)
  redis.call('DEL', 'item:' .. id)
end
