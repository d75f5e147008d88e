-- en: Checks whether there is stock, then subtracts in one command.
-- zh: 先看有没有货，再用一条命令减一。
function sell()
  if tonumber(redis.call('GET', 'stock')) > 0 then
    redis.call('DECR', 'stock')
    return true
  end
  return false
end
