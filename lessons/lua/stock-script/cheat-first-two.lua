-- en: Counts attempts: the first two get four items each, and the stock is only written for show.
-- zh: 数的是次数：前两次各给四件，库存只是写给人看。
function take(n)
  if redis.call('INCR', 'n') <= 2 then
    redis.call('HINCRBY', 'item', 'released', 4)
    return 4
  end
  return 0
end
