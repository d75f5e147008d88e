-- en: Watches, and does not look at the answer of EXEC.
-- zh: 监视了，却不看 EXEC 的返回值。
function update(change)
  redis.call('WATCH', 'stock')
  local stock = tonumber(redis.call('GET', 'stock'))
  local left = change(stock)
  redis.call('MULTI')
  redis.call('SET', 'stock', left)
  redis.call('EXEC')
end
