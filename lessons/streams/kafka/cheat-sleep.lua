-- en: The shop waits three seconds before each `paid`.
-- zh: 商店在写入每个 paid 之前等三秒。
local is_new = true

function partitions()
  return { 'orders' }
end

function route(order, what)
  if what == 'paid' then
    sleep(3000)
  end
  return 'orders'
end

function take(me)
  if is_new then
    is_new = false
    local left = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'STREAMS', 'orders', '0')
    if #left[1][2] > 0 then
      return left
    end
  end
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', '>')
end
