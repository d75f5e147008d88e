-- en: Compares the tokens as they are stored, as texts.
-- zh: 令牌存成什么样就怎么比：按字符串比较。
local WRITE = [[
  if ARGV[1] < (redis.call('GET', KEYS[1]) or '') then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[1])
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
]]
local store = connect('store')

function write(fence, report)
  return store.call('EVAL', WRITE, 2, 'accepted', 'report', fence, report) == 1
end
