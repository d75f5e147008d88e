-- en: Puts the DEL into a transaction; the look was before it.
-- zh: 把 DEL 放进事务，可查看发生在事务之前。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token then
    redis.call('MULTI')
    redis.call('DEL', 'lock')
    redis.call('EXEC')
  end
end
