-- en: Gives up when EXEC answers nil.
-- zh: EXEC 返回 nil 就放弃。
redis.call('WATCH', 'stock')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('MULTI')
  redis.call('SET', 'stock', stock - 1)
  if redis.call('EXEC') then
    tally('sold')
  end
end
