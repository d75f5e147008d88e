-- en: Goes on watching when it is sold out.
-- zh: 售罄之后仍在监视。
function buy()
  redis.call('WATCH', 'sold')
  if tonumber(redis.call('GET', 'sold')) >= 20 then
    return 'sold-out'
  end
  redis.call('MULTI')
  redis.call('INCR', 'sold')
  return redis.call('EXEC') and 'won' or 'conflict'
end
