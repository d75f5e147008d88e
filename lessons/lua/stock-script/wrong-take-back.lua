-- en: Takes first, and puts back what was too much.
-- zh: 先拿，拿多了再放回去。
local total = tonumber(redis.call('HGET', 'item', 'total'))
local released = redis.call('HINCRBY', 'item', 'released', 4)
if released <= total then
  tally('taken', 4)
else
  redis.call('HINCRBY', 'item', 'released', -4)
end
