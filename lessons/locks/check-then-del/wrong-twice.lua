-- en: Looks twice before it deletes.
-- zh: 删除之前看两遍。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  local first = redis.call('GET', 'lock')
  local second = redis.call('GET', 'lock')
  if first == token and second == token then
    redis.call('DEL', 'lock')
  end
end
