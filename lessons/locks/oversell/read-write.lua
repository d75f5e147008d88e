-- en: Sells one item: reads the stock, subtracts one, and writes the rest back. Answers whether an item was sold.
-- zh: 卖出一件：读出库存，减一，写回去。返回是否卖出。
function sell()
  local stock = tonumber(redis.call('GET', 'stock'))
  if stock > 0 then
    -- en: Between reading and writing, others may read the same number.
    -- zh: 在读与写之间，别的服务器可能读到同一个数。
    redis.call('SET', 'stock', stock - 1)
    return true
  end
  return false
end

---- frame ----
-- en: One server of the shop serves one customer.
-- zh: 商城的一台服务器接待一位顾客。
if sell() then
  tally('sold')
end
