-- en: Decides by a counter of its own, takes back what was too much, and copies the rest into the stock.
-- zh: 用自己的计数器做决定，多了就退回，再把其余的抄进库存。
function take(n)
  if n <= 0 then
    return 0
  end
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  if redis.call('INCRBY', 'n', n) <= total then
    redis.call('HINCRBY', 'item', 'released', n)
    return n
  end
  redis.call('DECRBY', 'n', n)
  return 0
end
