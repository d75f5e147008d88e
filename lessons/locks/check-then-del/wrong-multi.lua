-- en: Puts the DEL into a transaction; the look was before it.
-- zh: 把 DEL 放进事务，可那一眼是在事务之前看的。
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
work(9000)
leave('checkout')
if redis.call('GET', 'lock') == token then
  redis.call('MULTI')
  redis.call('DEL', 'lock')
  redis.call('EXEC')
end
