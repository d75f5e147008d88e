-- en: Adds the points of an order to those that are booked.
-- zh: 把订单的积分加到已入账的积分上。
function book(order, points, id)
  redis.call('INCRBY', 'points:stream', points)
end

function total()
  return tonumber(redis.call('GET', 'points:stream') or 0)
end

---- frame ----
-- en: The consumer `w` of the group `shop`. When it has just started, or when something has failed, it first asks for what it has not acknowledged.
-- zh: 消费者组 shop 里的消费者 w。刚启动时，或者出错之后，先取自己还没有确认的条目。
local all_points = 50
local from, failures = '0', 0

local function handle(entry)
  local order, points = entry[2][2], tonumber(entry[2][4])
  work(1000)
  book(order, points, entry[1])
  processed('stream:' .. order)
  redis.call('XACK', 'stream', 'shop', entry[1])
end

local function go_on()
  local reply = redis.call('XREADGROUP', 'GROUP', 'shop', 'w', 'COUNT', 1, 'BLOCK', 60000, 'STREAMS', 'stream', from)
  local entry = reply and reply[1][2][1]
  if entry then
    handle(entry)
  elseif from == '>' then
    return false
  else
    from = '>'
  end
  return true
end

repeat
  local is_fine, answer = pcall(go_on)
  if not is_fine then
    failures = failures + 1
    note(answer)
    check(failures < 3, 'nothing fails three times: ' .. tostring(answer))
    from = '0'
  end
until failures == 3 or is_fine and not answer
check(total() == all_points, 'the points of all orders are booked, each once')
