-- en: Takes the lock with a token, and compares and deletes in one script.
-- zh: 用令牌加锁；释放时，比较与删除在同一个脚本里完成。
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
  redis.call('SET', 'stock', stock)
  return true
end

function release()
  redis.call('EVAL', RELEASE, 1, 'lock', token)
end

---- frame ----
-- en: A server sells `wanted` items; its work takes a second less than the lease lasts.
-- zh: 服务器卖出 wanted 件商品；业务执行时间比租约短一秒。
local wanted = 2
local work_ms = 9000
acquire()
enter('checkout')
local stock = tonumber(redis.call('GET', 'stock'))
work(work_ms)
if save(stock - wanted) then
  tally('sold', wanted)
end
leave('checkout')
release()
