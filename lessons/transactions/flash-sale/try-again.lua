-- en: An optimistic transaction that begins again after a conflict.
-- zh: 乐观事务，遇到冲突就重来。
function buy()
  repeat
    redis.call('WATCH', 'sold')
    if tonumber(redis.call('GET', 'sold')) >= 20 then
      redis.call('UNWATCH')
      return 'sold-out'
    end
    redis.call('MULTI')
    redis.call('INCR', 'sold')
  until redis.call('EXEC')
  return 'won'
end
