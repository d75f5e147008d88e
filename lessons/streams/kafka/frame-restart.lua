-- en: The events come before the consumers, of which one may crash. A minute later both start again, under the same names.
-- zh: 事件先写入，消费者后上班，其中一个可能宕机。一分钟之后，两个消费者都以原来的名字重新启动。
local events = { { 7, 'created' }, { 7, 'paid' }, { 8, 'created' } }
local got = redis.call('BLPOP', 'names', 300)
local me = got and got[2]
if me == 'shop' then
  for _, stream in ipairs(partitions()) do
    redis.call('XGROUP', 'CREATE', stream, 'shipping', '0', 'MKSTREAM')
  end
  for _, event in ipairs(events) do
    redis.call('XADD', route(event[1], event[2]), '*', 'order', event[1], 'event', event[2])
  end
  redis.call('RPUSH', 'names', 'alice', 'bob')
  for _, event in ipairs(events) do
    produced(event[1] .. ' ' .. event[2], event[1])
  end
  -- en: The shop's part is over: its client starts as one of the two.
  -- zh: 商店的工作到此结束，它的客户端充当其中一个消费者。
  sleep(60000)
  redis.call('RPUSH', 'names', 'bob')
  me = 'alice'
end
local reply = me and take(me)
while reply do
  for _, got in ipairs(reply) do
    for _, entry in ipairs(got[2]) do
      local order, what = entry[2][2], entry[2][4]
      work(what == 'created' and 3000 or 1000)
      processed(order .. ' ' .. what)
      redis.call('XACK', got[1], 'shipping', entry[1])
    end
  end
  reply = take(me)
end
