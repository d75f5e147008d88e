-- en: Tries a second time if EXEC answers nil.
-- zh: EXEC 返回 nil 时，再试一次。
function update(change)
  for _ = 1, 2 do
    redis.call('WATCH', 'stock')
    local stock = tonumber(redis.call('GET', 'stock'))
    local left = change(stock)
    redis.call('MULTI')
    redis.call('SET', 'stock', left)
    if redis.call('EXEC') then
      return
    end
  end
end
