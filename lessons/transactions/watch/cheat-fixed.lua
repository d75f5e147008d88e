-- en: Writes what comes out on the stage.
-- zh: 直接写入实验台上应得的结果。
function update(change)
  local left = change(5)
  if redis.call('SET', 'first', 'x', 'NX') then
    redis.call('SET', 'stock', left)
  else
    redis.call('SET', 'stock', change(left))
  end
end
