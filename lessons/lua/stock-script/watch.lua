-- en: No script: a transaction that is refused if someone has written in between, and then tried again.
-- zh: 不用脚本：期间有人写过，事务就被拒绝，然后重试。
function take(n)
  if n <= 0 then
    return 0
  end
  repeat
    redis.call('WATCH', 'item')
    local total = tonumber(redis.call('HGET', 'item', 'total'))
    local released = tonumber(redis.call('HGET', 'item', 'released'))
    if released + n > total then
      redis.call('UNWATCH')
      return 0
    end
    redis.call('MULTI')
    redis.call('HINCRBY', 'item', 'released', n)
  until redis.call('EXEC')
  return n
end
