-- en: Lets everyone come at a different random time, instead of looking and taking in one step.
-- zh: 让每人随机错开时间，而不是一步完成查看与发放。
function take(n)
  sleep(random(1, 1000))
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  local released = tonumber(redis.call('HGET', 'item', 'released'))
  if n > 0 and released + n <= total then
    redis.call('HINCRBY', 'item', 'released', n)
    return n
  end
  return 0
end
