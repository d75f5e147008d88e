-- en: The server compares and deletes in one go: a script is executed as a whole.
-- zh: 由服务器一次完成比较与删除：脚本作为一个整体执行。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
  end
]]
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
