-- en: Ten smaller patterns instead of a large one.
-- zh: 把一个大的模式拆成十个小的。
local jobs = memory('jobs')

local function clean()
  for digit = 0, 9 do
    local keys = redis.call('KEYS', 'sale:' .. digit .. '*')
    for i = 1, #keys, 1000 do
      redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
    end
  end
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
