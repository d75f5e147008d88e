-- en: A worker serves a few buyers, and checks that their answers are true: the counter only ever rises.
-- zh: 一个工作线程接待几位买家，并核实答复是否属实：计数器只增不减。
local buyers = 2
for _ = 1, buyers do
  local before = tonumber(redis.call('GET', 'sold'))
  local answer = buy()
  local after = tonumber(redis.call('GET', 'sold'))
  tally(answer)
  if answer == 'sold-out' then
    check(after == 20, 'who hears "sold out" hears the truth')
  elseif answer == 'conflict' then
    check(after > before, 'a conflict is the success of another buyer')
  else
    check(answer == 'won' and after > before, 'who wins is counted')
  end
end
