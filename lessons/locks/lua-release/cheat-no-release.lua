-- en: Writes as the owner, and never gives the lock back.
-- zh: 以持锁者身份写入，但从不归还锁。
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    return redis.call('DEL', KEYS[1])
  end
  return 0
]]
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function save(stock)
  local SAVE = [[
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[2], ARGV[2])
    return 1
  ]]
  return redis.call('EVAL', SAVE, 2, 'lock', 'stock', token, stock) == 1
end

function release()
  return
end
