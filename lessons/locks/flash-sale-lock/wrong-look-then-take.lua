-- en: Looks, and then takes with DECRBY, which no one can overwrite.
-- zh: 先看，再用谁也覆盖不了的 DECRBY 扣减。
function buy(wanted)
  if tonumber(redis.call('GET', 'stock')) < wanted then
    return false
  end
  redis.call('DECRBY', 'stock', wanted)
  return true
end
