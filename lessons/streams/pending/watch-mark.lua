-- en: Claims first, then reads. The mark is watched: mark, count and XACK are one transaction, executed only if no one has set the mark.
-- zh: 先认领，再读新的。标记受 WATCH 监视：标记、计数、XACK 同属一个事务，只有无人抢先标记时才会执行。
function take(me)
  local stale = redis.call('XPENDING', 'orders', 'shipping', 'IDLE', 20000, '-', '+', 1)[1]
  if stale then
    local claimed = redis.call('XCLAIM', 'orders', 'shipping', me, 20000, stale[1])[1]
    if claimed then
      return claimed
    end
  end
  local new = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'STREAMS', 'orders', '>')
  return new and new[1][2][1]
end

function ship(id, parcels, me)
  redis.call('WATCH', 'done:' .. id)
  local done = redis.call('EXISTS', 'done:' .. id)
  redis.call('MULTI')
  if done == 0 then
    redis.call('SET', 'done:' .. id, me)
    redis.call('INCRBY', 'shipped', parcels)
  end
  redis.call('XACK', 'orders', 'shipping', id)
  redis.call('EXEC')
end
