-- en: One page each second.
-- zh: 每秒查一页。
local jobs = memory('jobs')

local function clean()
  local page = redis.call('SCAN', '0', 'MATCH', 'sale:*', 'COUNT', 1000)
  if page[2][1] then redis.call('UNLINK', unpack(page[2])) end
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
