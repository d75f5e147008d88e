-- en: Takes first, and puts back what was too much.
-- zh: 先拿，拿多了再放回去。
function take(n)
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  if redis.call('HINCRBY', 'item', 'released', n) <= total then
    return n
  end
  redis.call('HINCRBY', 'item', 'released', -n)
  return 0
end
