-- en: One script.
-- zh: 一个脚本。
function count()
  redis.call('EVAL', "return redis.call('INCR', KEYS[1])", 1, 'n')
end
