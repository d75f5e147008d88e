-- en: A lock inside the process, as `synchronized` would be: each server has one of its own.
-- zh: 进程内的锁，相当于 synchronized：可是每台服务器各有各的一把。
local locked = false
if not locked then
  locked = true
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock > 0 then
    redis.call('SET', 'stock', stock - 1)
    tally('sold')
  end
  locked = false
end
