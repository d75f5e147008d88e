-- en: Tells every buyer who gets nothing that it is sold out.
-- zh: 没买到的，一律告知已售罄。
function buy()
  redis.call('WATCH', 'sold')
  if tonumber(redis.call('GET', 'sold')) >= 20 then
    redis.call('UNWATCH')
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  return redis.call('EXEC') and 'won' or 'sold-out'
end
