-- en: One server of the shop sells one item: it reads the stock, subtracts one, and writes the rest back.
-- zh: 商城的一台服务器卖出一件商品：读出库存，减一，再写回去。
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  -- en: Between reading and writing, anybody else may read the same number.
  -- zh: 在读与写之间，别的服务器完全可能读到同一个数。
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
