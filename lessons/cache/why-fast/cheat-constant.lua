-- en: The answer is always the same.
-- zh: 永远回答同一个值。
local jobs = memory('jobs')

local function clean()
  local cursor = '0'
  repeat
    local page = redis.call('SCAN', cursor, 'MATCH', 'sale:*', 'COUNT', 1000)
    if page[2][1] then redis.call('UNLINK', unpack(page[2])) end
    cursor = page[1]
  until cursor == '0'
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return 'v0-1'
end
