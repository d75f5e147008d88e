-- en: Deletes only if the lease has half a second left.
-- zh: 租约至少还剩半秒才删。
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
work(9000)
leave('checkout')
if redis.call('GET', 'lock') == token and redis.call('PTTL', 'lock') > 500 then
  redis.call('DEL', 'lock')
end
