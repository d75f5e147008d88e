-- en: Search in a transaction.
-- zh: 在事务里查找。
local jobs = memory('jobs')

local function clean()
  redis.call('MULTI')
  redis.call('KEYS', 'sale:*')
  local keys = redis.call('EXEC')[1]
  for i = 1, #keys, 1000 do
    redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
  end
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
