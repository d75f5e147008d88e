-- en: The lock holds its owner's token; the owner looks before it deletes.
-- zh: 锁里存着持锁者的令牌，持锁者先看再删。
local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
work(9000)
leave('checkout')
if redis.call('GET', 'lock') == token then
  -- en: It was mine when the server looked. Is it still?
  -- zh: 服务器看的时候还是我的。现在呢？
  redis.call('DEL', 'lock')
end
