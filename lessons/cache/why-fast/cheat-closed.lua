-- en: While it searches, the machine answers no one.
-- zh: 查找期间，机器不接待任何人。
local jobs = memory('jobs')

local function clean()
  jobs:set('closed', 1, 500)
  local cursor = '0'
  repeat
    local page = redis.call('SCAN', cursor, 'MATCH', 'sale:*', 'COUNT', 1000)
    if page[2][1] then redis.call('UNLINK', unpack(page[2])) end
    cursor = page[1]
  until cursor == '0'
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  if jobs:get('closed') then error('closed') end
  return redis.call('GET', 'item:' .. id)
end
