-- en: A worker serves fifty buyers, one after the other; twenty workers serve a thousand.
-- zh: 一个工作线程依次接待五十位买家，二十个线程就是一千位。
for buyer = 1, 50 do
  redis.call('WATCH', 'sold')
  local sold = tonumber(redis.call('GET', 'sold'))
  if sold >= 20 then
    redis.call('UNWATCH')
    tally('sold-out')
  else
    redis.call('MULTI')
    redis.call('INCR', 'sold')
    -- en: A list: this buyer has an item. Nil: somebody was quicker, and this buyer goes away.
    -- zh: 返回列表：这位买家抢到了。返回 nil：有人快了一步，这位买家落空。
    if redis.call('EXEC') then
      tally('won')
    else
      tally('conflict')
    end
  end
end
