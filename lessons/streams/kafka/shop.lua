-- en: One stream and one group. Each consumer takes the next event that no one has yet.
-- zh: 一个流，一个组。下一个还没有人领取的事件，谁来领就归谁。
local is_new = true

function partitions()
  return { 'orders' }
end

function route(order, what)
  return 'orders'
end

function take(me)
  -- en: A consumer that has just started asks first for what it has not finished.
  -- zh: 刚启动的消费者，先取自己上次没做完的。
  if is_new then
    is_new = false
    local left = redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'STREAMS', 'orders', '0')
    if #left[1][2] > 0 then
      return left
    end
  end
  return redis.call('XREADGROUP', 'GROUP', 'shipping', me, 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'orders', '>')
end

---- frame ----
-- en: The client that comes first is the shop: it creates the groups, lets the consumers in, and adds the events of its orders.
-- zh: 最先到的客户端当商店：先建组，再让消费者上班，然后把订单的事件逐个写入。
local created_ms = 3000
local limit_ms = 6000
local events = { { 7, 'created' }, { 7, 'paid' }, { 8, 'created' }, { 8, 'paid' } }
local me = redis.call('BLPOP', 'names', 0)[2]
local opened_ms = now()
if me == 'shop' then
  for _, stream in ipairs(partitions()) do
    redis.call('XGROUP', 'CREATE', stream, 'shipping', '0', 'MKSTREAM')
  end
  redis.call('RPUSH', 'names', 'alice', 'bob')
  for _, event in ipairs(events) do
    local order, what = event[1], event[2]
    redis.call('XADD', route(order, what), '*', 'order', order, 'event', what)
    produced(order .. ' ' .. what, order)
  end
  return
end
-- en: The others are consumers: `created` takes three seconds, `paid` one. One that gets nothing goes home.
-- zh: 其余的是消费者：处理 created 要三秒，处理 paid 要一秒；什么也没领到就下班。
local reply = take(me)
while reply do
  for _, got in ipairs(reply) do
    for _, entry in ipairs(got[2]) do
      local order, what = entry[2][2], entry[2][4]
      work(what == 'created' and created_ms or 1000)
      processed(order .. ' ' .. what)
      check(now() - opened_ms <= limit_ms, 'all events are done in time, on the stage within six seconds')
      redis.call('XACK', got[1], 'shipping', entry[1])
    end
  end
  reply = take(me)
end
