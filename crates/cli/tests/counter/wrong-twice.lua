-- en: Looks twice.
-- zh: 看两遍。
function count()
  redis.call('GET', 'n')
  redis.call('SET', 'n', redis.call('GET', 'n') + 1)
end
