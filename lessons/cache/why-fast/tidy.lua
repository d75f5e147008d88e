-- en: Items come from Redis. Once a second, what is left of the sale is searched for and deleted.
-- zh: 商品来自 Redis；每秒查找一次秒杀的残留，并删除。
local jobs = memory('jobs')

local function clean()
  local keys = redis.call('KEYS', 'sale:*')
  for i = 1, #keys, 1000 do
    redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
  end
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
