-- en: Looks twice before it deletes.
-- zh: 删之前看两遍。
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
work(9000)
leave('checkout')
if redis.call('GET', 'lock') == token and redis.call('GET', 'lock') == token then
  redis.call('DEL', 'lock')
end
