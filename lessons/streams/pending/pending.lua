-- en: Takes a new order, or one that another worker has held for 30 seconds; counts its parcels as shipped, then acknowledges it.
-- zh: 领取新订单，或别人持有超过 30 秒的订单；先把包裹数计入已发货，再确认。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
  return redis.call('XAUTOCLAIM', 'orders', 'shipping', me, 30000, '0', 'COUNT', 1)[2][1]
end

function ship(id, parcels, me)
  redis.call('INCRBY', 'shipped', parcels)
  redis.call('XACK', 'orders', 'shipping', id)
end

---- frame ----
-- en: A worker packs each order that it takes, and ships it. When there is nothing to do it rests; after the third rest it goes home.
-- zh: 打包员领到一个订单就打包、发货；没有订单时休息，休息三次之后下班。
local me = redis.call('LPOP', 'names')
local rests = 0
while rests < 3 do
  local entry = take(me)
  if entry then
    local id, parcels = entry[1], tonumber(entry[2][2])
    tally('packed')
    work(1000)
    ship(id, parcels, me)
  else
    rests = rests + 1
    sleep(30000)
  end
end
check(redis.call('XPENDING', 'orders', 'shipping')[1] == 0, 'nothing is pending when a worker goes home')
