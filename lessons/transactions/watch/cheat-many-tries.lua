-- en: Tries four times, because there are never more than four clients here.
-- zh: 试四次，反正这里从不超过四个客户端。
function update(change)
  for _ = 1, 4 do
    redis.call('WATCH', 'stock')
    local left = change(tonumber(redis.call('GET', 'stock')))
    redis.call('MULTI')
    redis.call('SET', 'stock', left)
    if redis.call('EXEC') then
      return
    end
  end
end
