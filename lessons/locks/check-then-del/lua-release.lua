-- en: The server looks and deletes in one go: a script is executed as a whole.
-- zh: 由服务器一口气看完并删掉：脚本是作为一个整体执行的。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]

local token = uuid()
while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
  sleep(11000)
end
enter('checkout')
work(9000)
leave('checkout')
redis.call('EVAL', RELEASE, 1, 'lock', token)
