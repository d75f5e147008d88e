-- en: Reads first, and then begins to watch.
-- zh: 先读，然后才开始监视。
function buy()
  local sold = tonumber(redis.call('GET', 'sold'))
  redis.call('WATCH', 'sold')
  if sold >= 20 then
    redis.call('UNWATCH')
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  return redis.call('EXEC') and 'won' or 'conflict'
end
