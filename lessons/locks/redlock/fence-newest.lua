-- en: The store accepts only the newest token that was drawn, even if its owner has not written yet.
-- zh: 存储只接受最新发出的令牌，即使它的主人还没有写过。
local WRITE = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return nil
  end
  return redis.call('SET', KEYS[2], ARGV[2])
]]
local store = connect('store')

function write(fence, report)
  return store.call('EVAL', WRITE, 2, 'fence', 'report', fence, report) ~= nil
end
