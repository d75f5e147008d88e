-- en: Looks a second time before it writes, and begins anew if the stock has changed.
-- zh: 写之前再看一眼，库存变了就从头再来。
while true do
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock <= 0 then
    break
  end
  if tonumber(redis.call('GET', 'stock')) == stock then
    redis.call('SET', 'stock', stock - 1)
    tally('sold')
    break
  end
end
