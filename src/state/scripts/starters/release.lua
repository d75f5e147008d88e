-- en: KEYS[1] is the lock, ARGV[1] the token of whoever asks
-- zh: KEYS[1] 是锁，ARGV[1] 是请求释放者的令牌
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0
