-- en: A script takes the lock and gives it a lease, both or neither.
-- zh: 由脚本加锁并设租约：要么都做，要么都不做。
local ACQUIRE = [[
  if redis.call('SETNX', KEYS[1], ARGV[1]) == 1 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 1
  end
  return 0
]]

function acquire()
  while redis.call('EVAL', ACQUIRE, 1, 'lock', 'held', 10000) == 0 do
    sleep(2000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
