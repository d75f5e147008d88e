-- en: A lock inside the process: each server has one of its own.
-- zh: 进程内的锁：每台服务器各有各的一把。
local locked = false

function sell()
  while locked do
    sleep(10)
  end
  locked = true
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock > 0 then
    redis.call('SET', 'stock', stock - 1)
  end
  locked = false
  return stock > 0
end
