-- en: Begins again on nil, but with the number that it has read at first.
-- zh: 遇到 nil 就重来，用的却还是最初读到的数。
function update(change)
  local stock = tonumber(redis.call('GET', 'stock'))
  local left = change(stock)
  repeat
    redis.call('WATCH', 'stock')
    redis.call('MULTI')
    redis.call('SET', 'stock', left)
  until redis.call('EXEC')
end
