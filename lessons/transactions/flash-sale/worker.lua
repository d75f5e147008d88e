-- en: Sells one item: watches the counter, looks at it, and counts in a transaction.
-- zh: 卖出一件：监视计数器，看过之后，在事务里计数。
function buy()
  redis.call('WATCH', 'sold')
  local sold = tonumber(redis.call('GET', 'sold'))
  if sold >= 20 then
    redis.call('UNWATCH')
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  -- en: A list: this buyer has an item. Nil: another buyer was quicker, and this one goes away.
  -- zh: 返回列表：这位买家抢到了。返回 nil：有人快了一步，这位买家落空。
  if redis.call('EXEC') then
    return 'won'
  end
  return 'conflict'
end

---- frame ----
-- en: A worker serves fifty buyers, one after the other; twenty workers serve a thousand.
-- zh: 一个工作线程依次接待五十位买家，二十个线程就是一千位。
local buyers = 50
for _ = 1, buyers do
  tally(buy())
end
