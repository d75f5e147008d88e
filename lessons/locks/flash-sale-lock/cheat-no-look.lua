-- en: Always sells: there is enough on the stage.
-- zh: 来者不拒：实验台上货够多。
function buy(wanted)
  redis.call('DECRBY', 'stock', wanted)
  return true
end
