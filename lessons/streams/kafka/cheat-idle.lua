-- en: Takes nothing, so nothing is out of order.
-- zh: 什么也不领，也就不会乱序。
function partitions()
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
end
