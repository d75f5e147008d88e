-- en: Works half a minute longer than what is left of the lease, however long the lease is.
-- zh: 无论租约多长，业务总比剩余租约多做半分钟。
local wanted = 2
acquire()
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
local left_ms = redis.call('PTTL', 'lock')
if left_ms > 0 then
  work(left_ms + 30000)
end
if save(stock - wanted) then
  tally('sold', wanted)
end
leave('checkout')
release()
