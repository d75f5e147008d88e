-- en: Counts the orders; each of them is worth ten points, after all.
-- zh: 只数订单：反正每个订单都是十分。
function book(order, points, id)
  redis.call('SADD', 'booked', order)
end

function total()
  return redis.call('SCARD', 'booked') * 10
end
