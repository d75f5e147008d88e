-- en: Writes as the owner, but deletes without looking.
-- zh: 以持锁者身份写入，释放时却不看归属。
local SAVE = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
]]
local token

function acquire()
  token = uuid()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function save(stock)
  return redis.call('EVAL', SAVE, 2, 'lock', 'stock', token, stock) == 1
end

function release()
  redis.call('DEL', 'lock')
end
