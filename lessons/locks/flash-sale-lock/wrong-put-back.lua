-- en: Takes first, and puts it back if it was too much.
-- zh: 先扣减，扣多了再放回去。
function buy(wanted)
  if redis.call('DECRBY', 'stock', wanted) >= 0 then
    return true
  end
  redis.call('INCRBY', 'stock', wanted)
  return false
end
