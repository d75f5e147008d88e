-- en: Never lets the counter pass twenty: writes 20 over it.
-- zh: 绝不让计数器超过二十：超了就写回 20。
function buy()
  local sold = tonumber(redis.call('GET', 'sold'))
  if sold >= 20 then
    return 'sold-out'
  end
  redis.call('SET', 'sold', math.min(sold + 1, 20))
  return 'won'
end
