-- en: The store compares and writes in one script: it keeps the highest token that it has accepted, and refuses smaller ones.
-- zh: 存储用一个脚本比较并写入：记住接受过的最大令牌，拒绝更小的。
local WRITE = [[
  local fence = tonumber(ARGV[1])
  if fence < tonumber(redis.call('GET', KEYS[1]) or 0) then
    return 0
  end
  redis.call('SET', KEYS[1], fence)
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
]]
local store = connect('store')

function write(fence, report)
  return store.call('EVAL', WRITE, 2, 'accepted', 'report', fence, report) == 1
end
