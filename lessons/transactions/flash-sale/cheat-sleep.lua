-- en: Waits for a random time, so that workers do not meet.
-- zh: 随机等一段时间，好让工作线程错开。
function buy()
  sleep(random(1, 1000000))
  if tonumber(redis.call('GET', 'sold')) >= 20 then
    return 'sold-out'
  end
  redis.call('INCR', 'sold')
  return 'won'
end
