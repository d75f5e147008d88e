-- en: Turns buyers away as before, and tells them that it is sold out.
-- zh: 照样拒绝买家，只是改口说卖完了。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

function buy(wanted)
  local token = uuid()
  if not redis.call('SET', 'lock', token, 'NX', 'EX', 10) then
    return false
  end
  local stock = tonumber(redis.call('GET', 'stock'))
  local is_enough = stock >= wanted
  if is_enough then
    redis.call('SET', 'stock', stock - wanted)
  end
  redis.call('EVAL', RELEASE, 1, 'lock', token)
  return is_enough
end
