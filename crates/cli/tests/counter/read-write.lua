-- en: Reads and writes.
-- zh: 先读后写。
function count()
  redis.call('SET', 'n', redis.call('GET', 'n') + 1)
end

---- frame ----
count()
