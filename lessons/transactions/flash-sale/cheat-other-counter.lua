-- en: Counts the winners under another key.
-- zh: 用另一个键数赢家。
function buy()
  local won = redis.call('INCR', 'winners')
  if won <= 2 then
    redis.call('INCR', 'sold')
    return 'won'
  end
  return 'sold-out'
end
