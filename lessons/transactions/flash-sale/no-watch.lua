-- en: Sells one item with a transaction, without WATCH.
-- zh: 用事务卖出一件，但不用 WATCH。
function buy()
  local sold = tonumber(redis.call('GET', 'sold'))
  if sold >= 20 then
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  if redis.call('EXEC') then
    return 'won'
  end
  return 'conflict'
end
