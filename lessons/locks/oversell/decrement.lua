-- en: Reading, subtracting and writing are one command, and the server runs one command at a time.
-- zh: 读、减、写合成一条命令，而服务器一次只执行一条命令。
local left = redis.call('DECR', 'stock')
if left >= 0 then
  tally('sold')
else
  -- en: There was nothing left to sell: give back what was taken.
  -- zh: 其实已经没有货了：把多减的一件加回去。
  redis.call('INCR', 'stock')
end
