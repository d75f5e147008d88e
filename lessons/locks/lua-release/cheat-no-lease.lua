-- en: A lock without a lease is never lost, so every write is the owner's; waiting clients are woken by the release.
-- zh: 锁没有租约就不会丢，每次写入都是持锁者写的；等待者由释放锁的人唤醒。
local SAVE = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
]]
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('RPUSH', KEYS[2], 'free')
    return redis.call('DEL', KEYS[1])
  end
]]
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX') do
    redis.call('BLPOP', 'free', 0)
  end
end

function save(stock)
  return redis.call('EVAL', SAVE, 2, 'lock', 'stock', token, stock) == 1
end

function release()
  redis.call('EVAL', RELEASE, 2, 'lock', 'free', token)
end
