-- en: Redis itself has to find what can go.
-- zh: 让 Redis 自己决定淘汰什么。
local jobs = memory('jobs')

local function clean()
  redis.call('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random', 'maxmemory', 2745000)
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
