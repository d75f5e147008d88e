-- en: Few items are left. A buyer who hears "not enough" checks whether that is true: the stock only ever falls.
-- zh: 余货不多。听到“余量不足”的买家会核实：库存只减不增。
local wanted = random(4, 6)
local bought = buy(wanted)
if bought then
  tally('sold', wanted)
elseif bought == nil then
  tally('turned-away')
else
  check(tonumber(redis.call('GET', 'stock')) < wanted, 'there is not enough left')
end
