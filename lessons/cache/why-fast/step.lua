-- en: Each machine takes a page every two milliseconds, and remembers the cursor.
-- zh: 每台机器每 2 毫秒查一页，并记住游标。
local jobs = memory('jobs')

local function clean()
  local page = redis.call('SCAN', jobs:get('cursor') or '0', 'MATCH', 'sale:*', 'COUNT', 400)
  jobs:set('cursor', page[1])
  if page[2][1] then redis.call('UNLINK', unpack(page[2])) end
end

function get(id)
  if jobs:add('clean', 1, 2) then clean() end
  return redis.call('GET', 'item:' .. id)
end
