-- en: Asks again so late that the first one has finished by then.
-- zh: 隔很久才再问一次，那时第一个早已结束。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(1000000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('DEL', 'lock')
  end
end
