-- en: Subtracts in one command, and does not give back what was not there.
-- zh: 用一条命令减一，没货时也不加回去。
function sell()
  return redis.call('DECR', 'stock') >= 0
end
