-- en: Asks again so late that the first one has finished by then.
-- zh: 隔很久才再问一次，那时第一个早已结束。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10) do
    sleep(1000000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
