-- en: Subtracts the difference, which no one can overwrite.
-- zh: 减去差额，谁也覆盖不了。
function update(change)
  local stock = tonumber(redis.call('GET', 'stock'))
  redis.call('DECRBY', 'stock', stock - change(stock))
end
