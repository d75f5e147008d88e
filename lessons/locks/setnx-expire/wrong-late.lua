-- en: Gives the lock its lease when the work is done, for the lease must not end before.
-- zh: 干完活才设租约，生怕租约在干活时到期。
while redis.call('SETNX', 'lock', 'held') == 0 do
  sleep(5000)
end
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
if stock > 0 then
  redis.call('SET', 'stock', stock - 1)
  tally('sold')
end
leave('checkout')
redis.call('EXPIRE', 'lock', 10)
redis.call('DEL', 'lock')
