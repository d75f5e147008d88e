-- en: Whenever the function computes, another client writes to the stock; it uses no lock and no WATCH. This happens sixty times.
-- zh: 函数每次计算时，另一个客户端都会改写库存，它既不加锁，也不用 WATCH；如此共六十次。
local writes = 60
local calls = 0
local function double(stock)
  calls = calls + 1
  if calls <= writes then
    spawn(function()
      redis.call('SET', 'stock', 100 + calls)
    end)
    sleep(1)
  end
  return stock * 2
end
update(double)
check(redis.call('GET', 'stock') == tostring((100 + writes) * 2), 'the function was applied to the last value')
