-- en: Says that everyone has won whose transaction was sent.
-- zh: 只要发了事务，就说抢到了。
function buy()
  redis.call('WATCH', 'sold')
  if tonumber(redis.call('GET', 'sold')) >= 20 then
    redis.call('UNWATCH')
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  redis.call('EXEC')
  return 'won'
end
