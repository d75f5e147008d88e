-- en: No lock; a script repairs the counter afterwards.
-- zh: 不加锁，事后用脚本修正计数。
local SELL = [[
  return redis.call('DECRBY', KEYS[1], ARGV[1] - ARGV[2])
]]
local before

function acquire()
  before = redis.call('GET', 'stock')
end

function save(stock)
  redis.call('EVAL', SELL, 1, 'stock', before, stock)
  return true
end

function release()
end
