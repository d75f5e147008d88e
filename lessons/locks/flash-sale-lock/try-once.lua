-- en: Asks for the lock once, and gives up if another buyer has it.
-- zh: 只要一次锁；锁在别的买家手里就放弃。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

function buy(wanted)
  local token = uuid()
  if not redis.call('SET', 'lock', token, 'NX', 'EX', 10) then
    return nil
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  local is_enough = stock >= wanted
  if is_enough then
    redis.call('SET', 'stock', stock - wanted)
  end
  redis.call('EVAL', RELEASE, 1, 'lock', token)
  return is_enough
end

---- frame ----
-- en: A buyer wants one to nine items; `buy` answers true, false (not enough left) or nil (turned away).
-- zh: 一位买家想买一到九件；buy 返回 true、false（余量不足）或 nil（被拒绝）。
local wanted = random(1, 9)
local bought = buy(wanted)
if bought then
  tally('sold', wanted)
  tally('orders')
elseif bought == nil then
  tally('turned-away')
end
