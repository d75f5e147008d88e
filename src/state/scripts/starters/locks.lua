#!lua name=locks
-- en: Locks as functions of the server: acquire for a while, release, ask
-- zh: 把锁写成服务器里的函数：限时获取、释放、查询持有者

local function acquire(keys, args)
  local token, lease_ms = args[1], args[2]
  if redis.call("SET", keys[1], token, "NX", "PX", lease_ms) then
    return 1
  end
  return 0
end

local function release(keys, args)
  if redis.call("GET", keys[1]) == args[1] then
    return redis.call("DEL", keys[1])
  end
  return 0
end

redis.register_function("acquire", acquire)
redis.register_function("release", release)
redis.register_function{
  function_name = "owner",
  callback = function(keys) return redis.call("GET", keys[1]) end,
  flags = {"no-writes"},
}
