-- en: The same, with a counter that starts from the stock.
-- zh: 同上，但计数器的初值取自库存。
function take(n)
  if n <= 0 then
    return 0
  end
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  redis.call('SETNX', 'n', redis.call('HGET', 'item', 'released'))
  if redis.call('INCRBY', 'n', n) <= total then
    redis.call('HINCRBY', 'item', 'released', n)
    return n
  end
  redis.call('DECRBY', 'n', n)
  return 0
end
