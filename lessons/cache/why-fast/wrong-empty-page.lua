-- en: SCAN until a page is empty.
-- zh: 用 SCAN，查到空页为止。
local jobs = memory('jobs')

local function clean()
  local cursor = '0'
  repeat
    local page = redis.call('SCAN', cursor, 'MATCH', 'sale:*', 'COUNT', 100)
    if page[2][1] then redis.call('UNLINK', unpack(page[2])) end
    cursor = page[1]
  until cursor == '0' or not page[2][1]
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
