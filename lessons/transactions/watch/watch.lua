-- en: Applies a function to the stock: writes its result only if the stock has not changed since it began to watch.
-- zh: 把一个函数作用于库存：从开始监视起库存没有变过，才写入函数的结果。
function update(change)
  repeat
    redis.call('WATCH', 'stock')
    local stock = tonumber(redis.call('GET', 'stock'))
    local left = change(stock)
    redis.call('MULTI')
    redis.call('SET', 'stock', left)
    -- en: Nil: another client has written to the stock in between. Nothing was done; begin again.
    -- zh: nil：中间有别的客户端写过库存。什么也没有执行，从头再来。
  until redis.call('EXEC')
end

---- frame ----
-- en: A customer buys half of what is left. The function may be called several times: only the last result is written.
-- zh: 一位顾客买走剩余库存的一半。这个函数可能被调用多次，写入的只是最后一次的结果。
local sold
local function buy_half(stock)
  tally('computed')
  sold = math.ceil(stock / 2)
  return stock - sold
end
update(buy_half)
tally('sold', sold)
if sold > 0 then
  tally('served')
end
