-- en: Takes one item, however many are wanted.
-- zh: 不管要几件，只扣一件。
function buy(wanted)
  return redis.call('DECR', 'stock') >= 0
end
