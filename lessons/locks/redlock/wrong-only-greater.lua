-- en: Accepts only tokens that are greater than all before.
-- zh: 只接受比以前都大的令牌。
local WRITE = [[
  local fence = tonumber(ARGV[1])
  if fence <= tonumber(redis.call('GET', KEYS[1]) or 0) then
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
