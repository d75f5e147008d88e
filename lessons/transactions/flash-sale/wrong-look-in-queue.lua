-- en: Looks at the counter inside the transaction.
-- zh: 在事务里看计数器。
function buy()
  redis.call('MULTI')
  redis.call('GET', 'sold')
  redis.call('INCR', 'sold')
  local replies = redis.call('EXEC')
  if tonumber(replies[1]) >= 20 then
    redis.call('DECR', 'sold')
    return 'sold-out'
  end
  return 'won'
end
