-- en: The first two customers order six items each, the others four: ten are sold, in any order.
-- zh: 前两位顾客各要六件，其余的要四件：无论谁先谁后，都卖出十件。
local wanted = redis.call('INCR', 'customers') <= 2 and 6 or 4
local got = take(wanted)
if got > 0 then
  tally('taken', got)
end
