-- en: Never takes over what another worker holds. So nothing is shipped twice, and what a crashed worker holds is not shipped at all.
-- zh: 从不接手别人持有的订单：这样不会重复发货，可是打包员宕机之后，他手里的订单也就没有人发了。
function take(me)
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  if new then
    return new[1][2][1]
  end
end

function ship(id, parcels, me)
  redis.call('INCRBY', 'shipped', parcels)
  redis.call('XACK', 'orders', 'shipping', id)
end
