-- en: Another client holds the lock for a minute. A waiting client asks sparingly.
-- zh: 别的客户端持锁一分钟。等待者问得节制。
local function requests()
  return tonumber(string.match(redis.call('INFO', 'stats'), 'total_commands_processed:(%d+)'))
end
redis.call('SET', 'lock', 'another', 'PX', 60000)
local before = requests()
check(acquire(1000), 'a client does not give up')
check(requests() - before <= 20, 'a minute of waiting takes at most twenty requests')
