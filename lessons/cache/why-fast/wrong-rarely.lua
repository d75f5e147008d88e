-- en: The same once a minute.
-- zh: 改成每分钟一次。
local jobs = memory('jobs')

local function clean()
  local keys = redis.call('KEYS', 'sale:*')
  for i = 1, #keys, 1000 do
    redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
  end
end

function get(id)
  if jobs:add('clean', 1, 60000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
