-- en: A token, compared and deleted by a script.
-- zh: 使用令牌，由脚本比较并删除。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'PX', 8000) do
    sleep(2000)
  end
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end
