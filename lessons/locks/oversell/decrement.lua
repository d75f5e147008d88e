-- en: One command subtracts and answers what is left; below zero there was nothing to sell, and the item goes back.
-- zh: 一条命令减一并返回余数；小于零说明已经没货，把减掉的加回去。
function sell()
  if redis.call('DECR', 'stock') < 0 then
    redis.call('INCR', 'stock')
    return false
  end
  return true
end
