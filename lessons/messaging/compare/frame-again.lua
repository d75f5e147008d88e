-- en: Two processes run under the same name. The second one starts a minute later, in case something has happened to the first.
-- zh: 两个进程用同一个名字。第二个晚一分钟启动，以防第一个出了事。
local all_points = 20
if redis.call('INCR', 'started') > 1 then
  sleep(60000)
end
local from = '0'
while true do
  local reply = redis.call('XREADGROUP', 'GROUP', 'shop', 'w', 'COUNT', 1, 'BLOCK', 5000, 'STREAMS', 'stream', from)
  local entry = reply and reply[1][2][1]
  if entry then
    work(1000)
    book(entry[2][2], tonumber(entry[2][4]), entry[1])
    redis.call('XACK', 'stream', 'shop', entry[1])
  elseif from == '>' then
    break
  else
    from = '>'
  end
end
check(total() == all_points, 'the points of all orders are booked, each once')
