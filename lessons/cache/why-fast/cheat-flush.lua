-- en: Everything goes, and the items come back.
-- zh: 全部清空，再把商品放回去。
local jobs = memory('jobs')

local function clean()
  redis.call('FLUSHALL', 'ASYNC')
  for id = 1, 200 do redis.call('SET', 'item:' .. id, 'v0-' .. id) end
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
