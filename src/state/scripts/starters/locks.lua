#!lua name=locks
-- Locks as functions of the server: acquire for a while, release, ask

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
