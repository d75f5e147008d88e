-- en: Watches, but does not look at the answer of EXEC.
-- zh: 监视了，却不看 EXEC 的返回值。
redis.call('WATCH', 'stock')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('MULTI')
  redis.call('SET', 'stock', stock - 1)
  redis.call('EXEC')
  tally('sold')
end
