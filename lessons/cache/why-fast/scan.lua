-- en: SCAN goes through the keys page by page.
-- zh: 用 SCAN 一页一页地查。
local jobs = memory('jobs')

local function clean()
  local cursor = '0'
  repeat
    local page = redis.call('SCAN', cursor, 'MATCH', 'sale:*', 'COUNT', 400)
    if page[2][1] then redis.call('UNLINK', unpack(page[2])) end
    cursor = page[1]
  until cursor == '0'
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
