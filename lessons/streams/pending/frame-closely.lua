-- en: One worker, looked at closely. Eve has acknowledged 1-0, and has held 2-0 for an hour; 3-0 is new. An order counts when it is
-- en: shipped and not before, nothing of it stays pending, and a second time changes nothing.
-- zh: 只有一个打包员，逐步检查。eve 确认了 1-0，而 2-0 在她手里已有一小时；3-0 是新的。订单在发货时计数，不早不晚；
-- zh: 待确认列表里不留它的条目；再发一次，什么也不变。
local function shipped()
  return tonumber(redis.call('GET', 'shipped') or 0)
end

local me = redis.call('LPOP', 'names')
for _ = 1, 2 do
  local before = shipped()
  local entry = take(me)
  check(entry, 'there is an order to be packed')
  local id, parcels = entry[1], tonumber(entry[2][2])
  check(id ~= '1-0', 'what was acknowledged does not come again')
  check(shipped() == before, 'what is not packed yet is not counted')
  work(1000)
  ship(id, parcels, me)
  check(shipped() == before + parcels, 'its parcels are counted')
  check(#redis.call('XPENDING', 'orders', 'shipping', id, id, 1) == 0, 'it is acknowledged')
  ship(id, parcels, me)
  check(shipped() == before + parcels, 'a second time changes nothing')
end
