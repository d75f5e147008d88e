-- en: Orders four items: the client looks, and takes afterwards.
-- zh: 要四件：客户端先看，后拿。
local total = tonumber(redis.call('HGET', 'item', 'total'))
local released = tonumber(redis.call('HGET', 'item', 'released'))
if released + 4 <= total then
  redis.call('HINCRBY', 'item', 'released', 4)
  tally('taken', 4)
end
