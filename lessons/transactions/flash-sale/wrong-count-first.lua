-- en: Counts first, and takes it back if it was one too many.
-- zh: 先计数，多了再减回去。
function buy()
  if redis.call('INCR', 'sold') <= 20 then
    return 'won'
  end
  redis.call('DECR', 'sold')
  return 'sold-out'
end
