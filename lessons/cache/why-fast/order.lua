-- en: Four requests: A reads two items, B searches and reads one, C and D read one. Each reply is noted when it arrives.
-- zh: 四个请求：A 读两件商品，B 先查找再读一件，C 和 D 各读一件。每收到一个应答，就记一笔。
local replies = memory('replies')

local function call(who, ...)
  local reply = redis.call(...)
  local order = (replies:get('order') or '') .. who
  replies:set('order', order)
  -- en: When the sixth has arrived, the order is written down.
  -- zh: 六个应答到齐后，把顺序写进 Redis。
  if #order == 6 then redis.call('SET', 'order', order) end
  return reply
end

function get(id)
  local n = replies:incr('requests', 1)
  local who = string.sub('ABCD', n, n)
  if who == 'A' then call(who, 'GET', 'item:1') end
  if who == 'B' then call(who, 'KEYS', 'sale:*') end
  return call(who, 'GET', 'item:' .. id)
end
