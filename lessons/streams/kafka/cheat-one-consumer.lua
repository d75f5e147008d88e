-- en: Only alice works; bob goes home at once.
-- zh: 只有 alice 干活，bob 立刻下班。
function partitions()
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
  if me == 'bob' then
    return nil
  end
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', '>')
end
