-- en: Stops at nineteen, to be on the safe side.
-- zh: 卖到十九件就停，图个保险。
function buy()
  redis.call('WATCH', 'sold')
  if tonumber(redis.call('GET', 'sold')) >= 19 then
    redis.call('UNWATCH')
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  return redis.call('EXEC') and 'won' or 'conflict'
end
