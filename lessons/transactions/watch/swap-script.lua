-- en: A script writes the result if the stock is still the number that was read: compare and swap.
-- zh: 库存若仍是读到的那个数，脚本就写入结果：比较并交换。
local SWAP = [[
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[2])
  return 1
]]

function update(change)
  repeat
    local stock = redis.call('GET', 'stock')
    local left = change(tonumber(stock))
  until redis.call('EVAL', SWAP, 1, 'stock', stock, left) == 1
end
