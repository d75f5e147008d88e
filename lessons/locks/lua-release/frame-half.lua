-- en: A server sells half of what is left: the new value is not the old one minus a fixed number.
-- zh: 服务器卖出剩余库存的一半：新值不是旧值减去一个固定的数。
acquire()
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
local sold = math.ceil(stock / 2)
work(9000)
if save(stock - sold) then
  tally('sold', sold)
end
leave('checkout')
release()
