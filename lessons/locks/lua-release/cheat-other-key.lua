-- en: Locks another key and writes as its owner; touches `lock` only for show.
-- zh: 锁的是另一个键，并以它的持有者身份写入；对 lock 只是做做样子。
local SAVE = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
]]
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
]]
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'mine', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
  redis.call('SET', 'lock', 'x')
  redis.call('DEL', 'lock')
end

function save(stock)
  return redis.call('EVAL', SAVE, 2, 'mine', 'stock', token, stock) == 1
end

function release()
  redis.call('EVAL', RELEASE, 1, 'mine', token)
end
