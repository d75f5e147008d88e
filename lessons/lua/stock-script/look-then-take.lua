-- en: The client looks, and takes afterwards.
-- zh: 客户端先看，后拿。
function take(n)
  local total = tonumber(redis.call('HGET', 'item', 'total'))
  local released = tonumber(redis.call('HGET', 'item', 'released'))
  if released + n <= total then
    redis.call('HINCRBY', 'item', 'released', n)
    return n
  end
  return 0
end
