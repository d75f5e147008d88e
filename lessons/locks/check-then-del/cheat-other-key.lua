-- en: Guards another key, and touches the lock only for show, in one script.
-- zh: 真正的锁是另一个键，lock 只在脚本里装样子。
local RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"
local token = uuid()

function acquire()
  while not redis.call('SET', 'mine', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
  redis.call('EVAL', "redis.call('SET', KEYS[1], 'x') redis.call('DEL', KEYS[1])", 1, 'lock')
end

function release()
  redis.call('EVAL', RELEASE, 1, 'mine', token)
end
