-- en: Sets the lease first, so that no crash can come before it.
-- zh: 先设租约，免得在设它之前宕机。
redis.call('EXPIRE', 'lock', 10)
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
redis.call('DEL', 'lock')
