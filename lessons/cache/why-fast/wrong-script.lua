-- en: Search and delete in a script: one round trip.
-- zh: 在脚本里查找并删除，只需一次往返。
local jobs = memory('jobs')

local CLEAN = [[
local keys = redis.call('KEYS', 'sale:*')
for i = 1, #keys, 1000 do
  redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
end]]

local function clean()
  redis.call('EVAL', CLEAN, 0)
end

function get(id)
  if jobs:add('clean', 1, 1000) then clean() end
  return redis.call('GET', 'item:' .. id)
end
