-- en: SCAN with a page for a million keys.
-- zh: 用 SCAN，一页一百万个 key。
local jobs = memory('jobs')

local function clean()
  local cursor = '0'
  repeat
    local page = redis.call('SCAN', cursor, 'MATCH', 'sale:*', 'COUNT', 1000000)
    for i = 1, #page[2], 1000 do
      redis.call('UNLINK', unpack(page[2], i, math.min(i + 999, #page[2])))
    end
    cursor = page[1]
  until cursor == '0'
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
